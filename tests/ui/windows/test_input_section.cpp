#include <QtTest>

#include <QDoubleSpinBox>
#include <QPushButton>
#include <QToolButton>

#include "tests/support/window_fixture.h"
#include "ui/models/request_model.h"
#include "ui/panels/preview_panel.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/image_tile.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/section.h"
#include "ui/windows/create_page.h"
#include "ui/windows/library_page.h"

using namespace kinescope;
using testing::WindowFixture;

/// The section for videos as input. The fake engine has the models /models/start and /models/control.
class TestInputSection : public QObject {
    Q_OBJECT

    static bool choose(WindowFixture& fixture, const char* model) {
        fixture.window->resize(1440, 1200);
        fixture.window->request().chooseModel(model);
        auto* section = fixture.find<ui::Section>("inputSection");
        const bool shown = QTest::qWaitFor([&] { return section->isVisible(); });
        section->setExpanded(true);
        return shown;
    }

private Q_SLOTS:
    void aModelWithoutVideoInputHidesTheSection() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(!fixture.find<QWidget>("inputSection")->isVisible());
    }

    void aVideoToChangeHasAStrength() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(choose(fixture, "/models/start"));
        const auto& request = fixture.window->request().request();
        auto* strength = fixture.find<QDoubleSpinBox>("strengthSpin");
        QVERIFY(!strength->isVisible());
        QVERIFY(!fixture.find<QWidget>("maskWell")->isVisible());
        QVERIFY(!fixture.find<QWidget>("addReferenceTile")->isVisible());
        Q_EMIT fixture.find<ui::ImageTile>("inputVideoTile")->fileGiven(QStringLiteral("/videos/clip.mp4"));
        QCOMPARE(request.video, std::optional<std::filesystem::path>("/videos/clip.mp4"));
        QVERIFY(strength->isVisible());
        QCOMPARE(strength->value(), 0.8);
        strength->setValue(0.35);
        QCOMPARE(request.strength, std::optional(0.35));
        QVERIFY(fixture.window->request().canRun());
        fixture.find<QToolButton>("inputVideoRemoveButton")->click();
        QVERIFY(!request.video);
    }

    void aControlModelTakesMaskAndPictures() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(choose(fixture, "/models/control"));
        const auto& request = fixture.window->request().request();
        auto* add = fixture.find<ui::ImageTile>("addReferenceTile");
        Q_EMIT add->fileGiven(QStringLiteral("/pictures/one.png"));
        Q_EMIT add->fileGiven(QStringLiteral("/pictures/two.png"));
        QCOMPARE(request.reference_images.size(), std::size_t{2});
        Q_EMIT fixture.find<ui::ImageTile>("reference1Tile")->removeRequested();
        QCOMPARE(request.reference_images, std::vector<std::filesystem::path>{"/pictures/two.png"});
        Q_EMIT fixture.find<ui::ImageTile>("inputVideoTile")->fileGiven(QStringLiteral("/videos/depth.mp4"));
        QVERIFY(fixture.find<QWidget>("maskWell")->isVisible());
        QVERIFY(!fixture.find<QWidget>("strengthSpin")->isVisible());
        Q_EMIT fixture.find<ui::ImageTile>("maskTile")->fileGiven(QStringLiteral("/videos/mask.png"));
        QCOMPARE(request.mask, std::optional<std::filesystem::path>("/videos/mask.png"));
        fixture.find<QDoubleSpinBox>("conditioningScaleSpin")->setValue(0.5);
        QCOMPARE(request.conditioning_scale, std::vector<double>{0.5});
    }

    void aContinuationExcludesAnInputVideo() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(choose(fixture, "/models/start"));
        Q_EMIT fixture.find<ui::ImageTile>("continueVideoTile")->fileGiven(QStringLiteral("/videos/old.mp4"));
        QVERIFY(fixture.window->request().canRun());
        Q_EMIT fixture.find<ui::ImageTile>("inputVideoTile")->fileGiven(QStringLiteral("/videos/clip.mp4"));
        QVERIFY(!fixture.window->request().canRun());
        QVERIFY(!fixture.find<ui::MessageLine>("continueVideoMessage")->text().isEmpty());
    }

    void continueInTheLibraryFillsTheForm() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(choose(fixture, "/models/start"));
        ui::RequestModel& model = fixture.window->request();
        model.edit([](VideoRequest& request) { request.video = "/videos/clip.mp4"; });
        Q_EMIT fixture.window->findChild<ui::LibraryPage*>()->continueRequested(QStringLiteral("/videos/old.mp4"));
        QCOMPARE(model.request().continue_video, std::optional<std::filesystem::path>("/videos/old.mp4"));
        QVERIFY(!model.request().video);
        QVERIFY(model.canRun());
    }

    /// The run decodes only the new frames, and the result contains the old ones, too.
    void theWholeContinuedVideoIsShown() {
        WindowFixture fixture([](const VideoRequest& request) {
            std::vector<RunEvent> events = testing::healthyRun()(request);
            auto& result = std::get<RunFinished>(events.back()).result;
            result.output = "/videos/both.mp4";  // the fake engine reads 6 frames of it
            result.num_frames = 6;
            return events;
        });
        QVERIFY(fixture.isReady());
        QVERIFY(choose(fixture, "/models/start"));
        Q_EMIT fixture.find<ui::ImageTile>("continueVideoTile")->fileGiven(QStringLiteral("/videos/old.mp4"));
        QVERIFY(QTest::qWaitFor([&] { return fixture.window->request().canRun(); }));
        fixture.find<QPushButton>("generateButton")->click();
        QVERIFY(fixture.reaches(ui::RunState::done));
        QTRY_COMPARE(fixture.window->createPage()->previewPanel()->player()->numFrames(), 6);
    }

    /// The files stay after a change of the model, so that they can be removed.
    void aVideoOfAnotherModelCanBeRemoved() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().edit([](VideoRequest& request) { request.video = "/videos/clip.mp4"; });
        QVERIFY(QTest::qWaitFor([&] { return fixture.find<QWidget>("inputSection")->isVisible(); }));
        fixture.find<ui::Section>("inputSection")->setExpanded(true);
        QVERIFY(!fixture.window->request().canRun());
        fixture.find<QToolButton>("inputVideoRemoveButton")->click();
        QVERIFY(fixture.window->request().canRun());
        QVERIFY(!fixture.find<QWidget>("inputSection")->isVisible());
    }
};

QTEST_MAIN(TestInputSection)
#include "test_input_section.moc"
