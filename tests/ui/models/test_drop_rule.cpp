#include <QtTest>

#include "core/api/video_endings.h"
#include "ui/models/drop_rule.h"
#include "ui/models/media_files.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestDropRule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theEffectOfADropIsDescribed_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("takesImage");
        QTest::addColumn<int>("action");
        using Action = DropPlan::Action;
        const auto row = [](const char* name, const QString& file, bool image, Action action) {
            QTest::newRow(name) << file << image << static_cast<int>(action);
        };
        row("video", "/a/b.mp4", false, Action::restoreVideo);
        row("video of a phone", "/a/b.M4V", false, Action::restoreVideo);
        row("picture", "/a/b.PNG", true, Action::startImage);
        row("picture, text model", "/a/b.png", false, Action::refuse);
        row("queue", "/a/queue.jsonl", false, Action::importRequests);
        row("request", "/a/request.json", false, Action::restoreRequest);
        row("folder", "/models/wan/", false, Action::openModel);
        row("weights", "/models/wan.safetensors", false, Action::openModel);
        row("folder list", "/ComfyUI/extra_model_paths.yaml", false, Action::addFolderList);
        row("junk", "/a/notes.docx", false, Action::refuse);
    }

    void theEffectOfADropIsDescribed() {
        QFETCH(QString, file);
        QFETCH(bool, takesImage);
        QFETCH(int, action);
        const DropPlan plan = planDrop({.files = {file}, .takesImage = takesImage, .model = "Kinescope demo"});
        QCOMPARE(static_cast<int>(plan.action), action);
        QVERIFY(!plan.text.isEmpty());
    }

    void everyVideoThatARunWritesCanBeOpened() {
        for (const std::string_view ending : kVideoEndings)
            QVERIFY2(isVideoFile(QStringLiteral("/a/b") + QString::fromStdString(std::string(ending))), ending.data());
        for (const QString& pattern : videoPatterns()) QVERIFY2(isVideoFile(pattern), qPrintable(pattern));
        QVERIFY(!isVideoFile("/a/mp4"));
        QVERIFY(!isVideoFile("/a/b.png"));
        QVERIFY(isPictureFile("/a/b.TIFF"));
    }

    void aDroppedFolderOfFramesIsAVideo() {
        const QTemporaryDir folder;
        DropOffer models, frames;
        addFile(folder.path(), models);
        QVERIFY(planDrop(models).action == DropPlan::Action::openModel);
        QFile first(folder.filePath("00000.png"));
        QVERIFY(first.open(QIODevice::WriteOnly));
        addFile(folder.path(), frames);
        const DropPlan plan = planDrop(frames);
        QVERIFY(plan.action == DropPlan::Action::restoreVideo);
        QCOMPARE(plan.what, folder.path());
    }

    void textIsAcceptedAndSeveralVideosAreRefused() {
        QCOMPARE(planDrop({.text = " a ball "}).what, QStringLiteral("a ball"));
        QCOMPARE(planDrop({.text = "  "}).action, DropPlan::Action::refuse);
        QCOMPARE(planDrop({.files = {"/a.mp4", "/b.mp4"}}).action, DropPlan::Action::refuse);
    }

    /// A picture that is dragged from a web browser is often only its address.
    void anAddressIsRefusedWithWhatToDo() {
        const DropPlan plan = planDrop({.isElsewhere = true, .takesImage = true});
        QCOMPARE(plan.action, DropPlan::Action::refuse);
        QVERIFY2(plan.text.contains("Save it"), qPrintable(plan.text));
        QCOMPARE(planDrop({.files = {"/a.mp4"}, .isElsewhere = true}).action, DropPlan::Action::restoreVideo);
    }
};

QTEST_MAIN(TestDropRule)
#include "test_drop_rule.moc"
