#include <QtTest>

#include <QDropEvent>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTextEdit>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <future>
#include <optional>

#include "tests/support/window_fixture.h"
#include "ui/models/history_model.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/history_panel.h"
#include "ui/widgets/drop_hint.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/library_page.h"
#include "ui/windows/settings_controller.h"

using namespace kinescope;
using testing::WindowFixture;
using ui::RunState;

namespace {

/// Makes an empty video of the output folder that is `age` seconds old. Returns its path.
QString addVideo(const WindowFixture& fixture, const QString& name, int age = 0) {
    const QDir folder(fixture.folder.filePath("Kinescope"));
    folder.mkpath(".");
    QFile video(folder.filePath(name));
    if (!video.open(QIODevice::WriteOnly)) return {};
    video.setFileTime(QDateTime::currentDateTime().addSecs(-age), QFileDevice::FileModificationTime);
    return video.fileName();
}

/// Shows the Library and waits until it lists all videos.
QListView* openLibrary(WindowFixture& fixture, int numVideos) {
    fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
    const auto isComplete = [&] { return fixture.window->history().numVideos() == numVideos; };
    return QTest::qWaitFor(isComplete) ? fixture.find<QListView>("historyView") : nullptr;
}

/// Scans the output folder again and waits for the end.
bool scanAgain(WindowFixture& fixture) {
    QSignalSpy scanned(&fixture.window->history(), &ui::HistoryModel::scanned);
    fixture.window->history().scan(fixture.folder.filePath("Kinescope"));
    return scanned.wait();
}

void dropOn(QWidget* window, QMimeData* mime) {
    const QPoint place = window->rect().center();
    QDragEnterEvent enter(place, Qt::CopyAction, mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window, &enter);
    QDropEvent drop(place, Qt::CopyAction, mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window, &drop);
}

}  // namespace

/// The history with its details, and dropped files.
class TestLibraryWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDroppedVideoRestoresItsSettings() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const VideoRequest before = fixture.window->request().request();
        VideoRequest made = with_defaults({}, testing::demoCard());
        made.prompt = "A yellow cube";
        made.negative_prompt = "rain";
        made.seed = 7;
        made.num_inference_steps = 9;
        made.guidance_scale = 5.5;
        made.num_frames = 17;
        made.fps = 10;
        const QString file = fixture.folder.filePath("video.mp4");
        fixture.engine->keepSettings(file.toStdString(), made);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        dropOn(fixture.window.get(), &mime);
        QTRY_COMPARE(fixture.window->request().request().prompt, made.prompt);
        const VideoRequest& now = fixture.window->request().request();
        QCOMPARE(now.negative_prompt, made.negative_prompt);
        QCOMPARE(now.num_inference_steps, made.num_inference_steps);
        QCOMPARE(now.guidance_scale, made.guidance_scale);
        QCOMPARE(now.num_frames, made.num_frames);
        QCOMPARE(now.width, made.width);
        QCOMPARE(now.height, made.height);
        QCOMPARE(now.fps, made.fps);
        QCOMPARE(now.scheduler, made.scheduler);
        QCOMPARE(now.seed, made.seed);
        QCOMPARE(fixture.find<QPlainTextEdit>("promptEdit")->toPlainText(), QStringLiteral("A yellow cube"));
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QVERIFY(strip->accessibleName().startsWith("Settings restored."));
        Q_EMIT strip->actionTriggered();
        QVERIFY(fixture.window->request().request() == before);
    }

    /// A video may come from anybody, and from another computer.
    void aRestoredVideoDoesNotSwitchTheGuardOff() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        ui::RequestModel& form = fixture.window->request();
        const VideoRequest before = form.request();
        VideoRequest made = with_defaults({}, testing::demoCard());
        made.prompt = "A yellow cube";
        made.seed = 7;
        made.guard = GuardMode::off;
        made.device = "cuda:0";
        made.threads = 1;
        const QString file = fixture.folder.filePath("video.mp4");
        fixture.engine->keepSettings(file.toStdString(), made);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        dropOn(fixture.window.get(), &mime);
        QTRY_COMPARE(form.request().prompt, made.prompt);
        QCOMPARE(form.request().guard, GuardMode::heal);
        QCOMPARE(form.request().device, std::string("auto"));
        QCOMPARE(form.request().threads, std::optional(1));  // affects the frames
        const QString words = fixture.find<ui::NoticeStrip>("noticeStrip")->accessibleName();
        QVERIFY2(words.contains("set to Heal") && words.contains("made with Off"), qPrintable(words));
        QVERIFY2(words.contains("with 1 thread"), qPrintable(words));

        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(fixture.window->run().facts().request.threads, std::optional(1));
        fixture.action("actionGenerate")->trigger();  // another seed: another video
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{2});
        QCOMPARE(fixture.bridge->jobs().at(1).request.threads, before.threads);
    }

    void theThreadsOfAVideoApplyUntilAChange() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        ui::RequestModel& form = fixture.window->request();
        ui::QueueController& controller = fixture.window->queueController();
        VideoRequest made = with_defaults({}, testing::demoCard());
        made.threads = 1;
        const auto change = [&form](const char* prompt) {
            form.edit([prompt](VideoRequest& request) { request.prompt = prompt; });
        };
        controller.restore(made);
        QCOMPARE(form.request().threads, std::optional(1));
        change("A red ball");
        QVERIFY(!form.request().threads);
        controller.restore(made);
        controller.restore(made);
        controller.undoRestore();
        QCOMPARE(form.request().threads, std::optional(1));
        change("A blue ball");
        QVERIFY(!form.request().threads);
    }

    void aVideoThatIsOpenedAfterItsRunKeepsItsSeed() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const VideoRequest made = fixture.bridge->jobs().at(0).request;
        const QString file = fixture.folder.filePath("video.mp4");
        fixture.engine->keepSettings(file.toStdString(), made);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        dropOn(fixture.window.get(), &mime);
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QTRY_VERIFY(strip->accessibleName().startsWith("Settings restored."));
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{2});
        QCOMPARE(fixture.bridge->jobs().at(1).request.seed, made.seed);
    }

    /// The keys of a list select one video after another.
    void onlyTheLastSelectedVideoIsRead() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        std::promise<void> go;
        fixture.bridge->request(
            ui::Lane::media, fixture.window.get(), [going = go.get_future().share()](Engine&) { going.wait(); }, [] {},
            [](const Error&) {});
        auto* details = fixture.find<ui::DetailsPanel>("detailsPanel");
        for (const char* file : {"/videos/a.mp4", "/videos/b.mp4", "/videos/c.mp4"}) {
            ui::HistoryItem item;
            item.file = QLatin1String(file);
            item.made = QDateTime::currentDateTime();
            details->setItem(&item);
        }
        go.set_value();
        QTRY_COMPARE(details->player()->numFrames(), 6);
        constexpr int kFramesOfDetails = 97;
        QCOMPARE(fixture.engine->numReads(kFramesOfDetails), 1);
    }

    void refusedDropsAreExplained() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QMimeData other;
        other.setUrls({QUrl::fromLocalFile(fixture.folder.filePath("other.mp4"))});
        dropOn(fixture.window.get(), &other);
        QTRY_VERIFY(strip->accessibleName().startsWith("There is no such file:"));
        QVERIFY(QFile(fixture.folder.filePath("other.mp4")).open(QIODevice::WriteOnly));
        dropOn(fixture.window.get(), &other);
        QTRY_VERIFY(strip->accessibleName().startsWith("This video contains no settings."));
        QMimeData junk;
        junk.setUrls({QUrl::fromLocalFile(fixture.folder.filePath("notes.docx"))});
        dropOn(fixture.window.get(), &junk);
        QVERIFY(strip->accessibleName().contains("notes.docx"));
        QVERIFY(!fixture.find<ui::DropHint>("dropHint")->isVisible());
        QMimeData address;
        address.setUrls({QUrl("https://example.org/ball.png")});
        dropOn(fixture.window.get(), &address);
        QVERIFY2(strip->accessibleName().contains("downloads nothing"), qPrintable(strip->accessibleName()));
        QMimeData words;
        words.setText("A white ball drops");
        dropOn(fixture.window.get(), &words);
        QCOMPARE(fixture.window->request().request().prompt, std::string("A white ball drops"));
    }

    void aDroppedTextCanBeUndone() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const VideoRequest before = fixture.window->request().request();
        QMimeData words;
        words.setText("A white ball drops");
        dropOn(fixture.window.get(), &words);
        QCOMPARE(fixture.window->request().request().prompt, std::string("A white ball drops"));
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QVERIFY(strip->accessibleName().startsWith("Prompt replaced."));
        Q_EMIT strip->actionTriggered();
        QVERIFY(fixture.window->request().request() == before);
    }

    void theQueueCanBeExportedAndImported() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.find<QSpinBox>("countSpin")->setValue(3);
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.queue().numOpen(), 3);
        fixture.saveName = fixture.folder.filePath("queue.jsonl");
        fixture.find<QPushButton>("exportQueueButton")->click();
        QFile file(fixture.saveName);
        QTRY_VERIFY(file.exists());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), 3);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(fixture.saveName)});
        dropOn(fixture.window.get(), &mime);
        QTRY_COMPARE(fixture.queue().numOpen(), 6);
    }

    void settingsAreRestoredFromTheHistory() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const Job made = fixture.bridge->jobs().at(0);
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("historyView");
        QTRY_COMPARE(view->model()->rowCount(), 2);
        fixture.window->request().resetToDefaults();
        view->setCurrentIndex(view->model()->index(1, 0));
        QTRY_VERIFY(fixture.find<QPushButton>("useSettingsButton")->isVisible());
        QTest::keyClick(view, Qt::Key_Return);
        QTRY_COMPARE(fixture.window->request().request().seed, made.request.seed);
    }

    void anotherOutputFolderIsListedAtOnce() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        addVideo(fixture, "earlier.mp4");
        QVERIFY(openLibrary(fixture, 1));
        const QDir other(fixture.folder.filePath("Other"));
        QVERIFY(other.mkpath("."));
        for (const char* name : {"a.mp4", "b.mp4"}) QVERIFY(QFile(other.filePath(name)).open(QIODevice::WriteOnly));
        fixture.folderName = other.path();
        fixture.action("actionChooseOutputFolder")->trigger();
        QTRY_COMPARE(fixture.window->history().numVideos(), 2);
        ui::Preferences(fixture.settings).setOutputFolder(fixture.folder.filePath("Kinescope"));
        fixture.window->findChild<ui::SettingsController*>()->apply();  // as the preferences do
        QTRY_COMPARE(fixture.window->history().numVideos(), 1);
    }

    void theSelectionStaysWithItsVideo() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString newest = addVideo(fixture, "newest.mp4", 10);
        const QString chosen = addVideo(fixture, "chosen.mp4", 20);
        addVideo(fixture, "oldest.mp4", 30);
        QListView* view = openLibrary(fixture, 3);
        QVERIFY(view);
        ui::HistoryModel& history = fixture.window->history();
        view->setCurrentIndex(history.index(history.rowOf(chosen)));
        const auto selected = [&] { return fixture.window->libraryPage()->historyPanel()->selectedFiles(); };
        QCOMPARE(selected(), QStringList{chosen});
        addVideo(fixture, "later.mp4");
        QVERIFY(QFile::remove(newest));
        QVERIFY(scanAgain(fixture));
        QCOMPARE(selected(), QStringList{chosen});
        QCOMPARE(view->currentIndex().data(Qt::UserRole).toString(), chosen);  // the arrow keys start here
        QCOMPARE(fixture.window->libraryPage()->currentVideo(), chosen);
        std::optional<QString> fault;
        history.moveToTrash(newest, [&fault](const QString& found) { fault = found; });
        QTRY_COMPARE(fault.value_or("no answer"), QString());
        QCOMPARE(selected(), QStringList{chosen});
    }

    void theSelectionStaysBehindTheFirstPage() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        constexpr int kVideos = 400;
        for (int i = 0; i < kVideos; ++i) addVideo(fixture, QStringLiteral("%1.mp4").arg(i), i + 1);
        QListView* view = openLibrary(fixture, kVideos);
        QVERIFY(view);
        ui::HistoryModel& history = fixture.window->history();
        history.fetchMore({});
        const QModelIndex last = history.index(history.rowCount() - 1);
        view->setCurrentIndex(last);
        const QString chosen = last.data(Qt::UserRole).toString();
        addVideo(fixture, "later.mp4");  // moves the selected one to the next page
        QVERIFY(scanAgain(fixture));
        QCOMPARE(fixture.window->libraryPage()->historyPanel()->selectedFiles(), QStringList{chosen});
    }

    void aMissingVideoOffersNoFileActions() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString video = addVideo(fixture, "gone.mp4");
        QListView* view = openLibrary(fixture, 1);
        QVERIFY(view);
        view->setCurrentIndex(view->model()->index(1, 0));
        const auto areEnabled = [&](bool enabled) {
            return std::ranges::all_of(
                std::array{"historyExportButton", "historyFinishButton", "historyContinueButton", "checkFileButton"},
                [&](const char* name) { return fixture.find<QPushButton>(name)->isEnabled() == enabled; });
        };
        QVERIFY(areEnabled(true));
        QVERIFY(QFile::remove(video));
        QVERIFY(scanAgain(fixture));
        QVERIFY(areEnabled(false));
    }

    void theTrashQuestionNamesWhatIsMoved_data() {
        QTest::addColumn<QString>("logFolder");
        QTest::addColumn<QString>("otherVideo");
        QTest::addColumn<bool>("movesLog");
        QTest::newRow("no log") << QString() << QString() << false;
        QTest::newRow("a log in its folder") << "data/kinescope/logs" << QString() << true;
        QTest::newRow("a log of the user") << "Kinescope" << QString() << false;
        QTest::newRow("a log of two videos") << "data/kinescope/logs"
                                             << "chosen.webm" << false;
    }
    void theTrashQuestionNamesWhatIsMoved() {
        QFETCH(QString, logFolder);
        QFETCH(QString, otherVideo);
        QFETCH(bool, movesLog);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString video = addVideo(fixture, "chosen.mp4");
        if (!otherVideo.isEmpty()) addVideo(fixture, otherVideo, 10);
        if (!logFolder.isEmpty()) {
            const QDir logs(fixture.folder.filePath(logFolder));
            QVERIFY(logs.mkpath("."));
            QVERIFY(QFile(logs.filePath("chosen.jsonl")).open(QIODevice::WriteOnly));
        }
        QListView* view = openLibrary(fixture, otherVideo.isEmpty() ? 1 : 2);
        QVERIFY(view);
        view->setCurrentIndex(view->model()->index(1, 0));
        QString question;
        QTimer::singleShot(0, this, [&] {
            auto* dialog = fixture.find<QDialog>("deleteDialog");
            question = dialog->findChild<QLabel*>("questionSentenceLabel")->text();
            dialog->reject();
        });
        QTest::keyClick(view, Qt::Key_Delete);
        QVERIFY2(question.startsWith("chosen.mp4: "), qPrintable(question));
        QCOMPARE(question.contains("numeric log"), movesLog);
        QVERIFY(QFile::exists(video));
    }

    /// The settings and the name of a video of somebody else may contain HTML that loads a picture.
    void foreignTextsAreShownAsTheyAre() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString words = QStringLiteral("A <b>red</b> ball");
        VideoRequest request = with_defaults({}, testing::demoCard());
        request.prompt = words.toStdString();
        request.negative_prompt = request.prompt;
        const QString video = addVideo(fixture, "<b>red.mp4");
        fixture.engine->keepSettings(video.toStdString(), request);
        QListView* view = openLibrary(fixture, 1);
        QVERIFY(view);
        view->setCurrentIndex(view->model()->index(1, 0));
        QTRY_COMPARE(fixture.find<QLabel>("detailsTitleLabel")->text(), words);
        QCOMPARE(fixture.find<QTextEdit>("detailsPromptText")->toPlainText(), words);
        fixture.find<QPushButton>("historyExportButton")->click();
        QVERIFY(fixture.find<QLabel>("exportSourceLabel")->text().startsWith("<b>red"));
        for (const QLabel* label : fixture.window->findChildren<QLabel*>())
            if (label->text().contains("<b>")) QCOMPARE(label->textFormat(), Qt::PlainText);
    }

    void aLongWordInAPromptDoesNotWidenTheDetails() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        VideoRequest request = with_defaults({}, testing::demoCard());
        request.prompt = std::string(500, 'W');
        const QString video = addVideo(fixture, "long.mp4");
        fixture.engine->keepSettings(video.toStdString(), request);
        QListView* view = openLibrary(fixture, 1);
        QVERIFY(view);
        view->setCurrentIndex(view->model()->index(1, 0));
        auto* prompt = fixture.find<QTextEdit>("detailsPromptText");
        QTRY_COMPARE(prompt->toPlainText().size(), 500);
        const auto* details = fixture.find<QScrollArea>("detailsScrollArea");
        QTRY_COMPARE(details->widget()->width(), details->viewport()->width());
        QVERIFY(prompt->height() > 5 * prompt->fontMetrics().height());
    }

    void toolTipsAreShownAsTheyAre() {
        WindowFixture fixture(testing::healthyRun());
        QToolTip::showText(fixture.window->pos(), "A <b>red</b> ball", fixture.window.get());
        const auto tips = QApplication::topLevelWidgets();
        const auto tip = std::ranges::find_if(tips, [](QWidget* top) { return top->inherits("QTipLabel"); });
        QVERIFY(tip != tips.end());
        QCOMPARE(static_cast<QLabel*>(*tip)->textFormat(), Qt::PlainText);
        QToolTip::hideText();
    }

    /// A finished video has another size, length and frame rate than its settings.
    void theDetailsShowTheShapeOfTheFile() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const Job made = fixture.bridge->jobs().at(0);
        fixture.engine->describe(made.output, {.width = 640, .height = 384, .num_frames = 49, .fps = 29.97});
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("historyView");
        QTRY_COMPARE(view->model()->rowCount(), 2);
        view->setCurrentIndex(view->model()->index(1, 0));
        const auto shown = [&fixture] {
            QStringList words;
            for (const QLabel* label : fixture.find<QWidget>("detailsPanel")->findChildren<QLabel*>())
                words << label->text();
            return words;
        };
        QTRY_VERIFY2(shown().contains(QStringLiteral("640 × 384, 49 frames")), qPrintable(shown().join('|')));
        QVERIFY2(shown().contains(QStringLiteral("29.97 fps")), qPrintable(shown().join('|')));
    }

    void theDetailsSayThatAFileCannotBeRead() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const auto* player = fixture.find<QWidget>("detailsPanel")->findChild<ui::FramePlayer*>();
        QVERIFY(player);
        QCOMPARE(player->valueText(), QStringLiteral("Select a video"));
        const QString file = addVideo(fixture, "damaged.mp4");
        QListView* view = openLibrary(fixture, 1);
        QVERIFY(view);
        QVERIFY(QFile::remove(file));  // the engine of the test reads no other file as damaged
        view->setCurrentIndex(view->model()->index(1, 0));
        QTRY_COMPARE(player->valueText(), QStringLiteral("Can't read the file"));
        view->clearSelection();
        view->setCurrentIndex({});
        QTRY_COMPARE(player->valueText(), QStringLiteral("Select a video"));
    }

    /// The settings contain the number of frames of one part.
    void aLongVideoHasTheLengthOfItsFile() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const Job made = fixture.bridge->jobs().at(0);
        VideoRequest request = made.request;
        request.next_prompts = {"It turns"};
        const auto file = made.output.parent_path() / "long.mp4";
        QVERIFY(QFile(QString::fromStdString(file.string())).open(QIODevice::WriteOnly));
        fixture.engine->keepSettings(file, request);
        fixture.engine->describe(file, {.width = 640, .height = 384, .num_frames = 90, .fps = 30});
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("historyView");
        QTRY_COMPARE(view->model()->rowCount(), 3);
        const auto rowOf = [&] {
            for (int row = 1; row < view->model()->rowCount(); ++row)
                if (view->model()->index(row, 0).data(Qt::UserRole).toString().endsWith("long.mp4")) return row;
            return -1;
        };
        const auto length = [&] { return view->model()->index(rowOf(), 0).data(ui::HistoryModel::LengthRole); };
        QTRY_COMPARE(length().toDouble(), 3.0);
        view->setCurrentIndex(view->model()->index(rowOf(), 0));
        const auto shown = [&fixture] {
            QStringList words;
            for (const QLabel* label : fixture.find<QWidget>("detailsPanel")->findChildren<QLabel*>())
                words << label->text();
            return words;
        };
        QTRY_VERIFY2(shown().contains(QStringLiteral("3.0 s")), qPrintable(shown().join('|')));
        QVERIFY2(!shown().filter(QStringLiteral("frames in each part")).isEmpty(), qPrintable(shown().join('|')));
        const auto* player = fixture.find<QWidget>("detailsPanel")->findChild<ui::FramePlayer*>();
        QTRY_VERIFY(player->numFrames() > 1);
        QTRY_COMPARE(player->numFrames() / player->fps(), 3.0);  // fewer frames of the same length
        fixture.window->request().edit([](VideoRequest& form) { form.fps = 8; });
        const VideoRequest before = fixture.window->request().request();
        fixture.find<QPushButton>("historyContinueButton")->click();
        QCOMPARE(fixture.window->request().request().continue_video.value_or(""), file);
        QVERIFY(!fixture.window->request().request().fps);
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QVERIFY(strip->accessibleName().startsWith("Continuing a video."));
        Q_EMIT strip->actionTriggered();
        QVERIFY(fixture.window->request().request() == before);
    }

    void everyControlOfTheLibraryHasAName() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        for (QWidget* widget : fixture.window->libraryPage()->findChildren<QWidget*>()) {
            const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                                 qobject_cast<QListView*>(widget);
            const bool shown = widget->isVisibleTo(fixture.window->libraryPage());
            if (!control || !shown || widget->objectName().startsWith("qt_")) continue;
            auto* button = qobject_cast<QAbstractButton*>(widget);
            const bool said = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()) ||
                              qobject_cast<QLineEdit*>(widget->parentWidget());
            QVERIFY2(said, qPrintable(widget->objectName() + " in " + widget->parentWidget()->objectName()));
        }
    }
};

QTEST_MAIN(TestLibraryWindow)
#include "test_library_window.moc"
