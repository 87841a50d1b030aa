#include <QtTest>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QToolButton>

#include "tests/support/window_fixture.h"
#include "ui/models/mask_file.h"
#include "ui/models/request_model.h"
#include "ui/panels/mask_dialog.h"
#include "ui/panels/preview_panel.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/image_tile.h"
#include "ui/widgets/mask_canvas.h"
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
        QTRY_VERIFY(fixture.find<ui::ImageTile>("inputVideoTile")->hasThumbnail());
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

    void aControlVideoIsMadeFromEdgesGrayTonesOrMotion() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(choose(fixture, "/models/control"));
        const auto& request = fixture.window->request().request();
        auto* control = fixture.find<QComboBox>("controlCombo");
        QVERIFY(!control->isVisible());
        fixture.window->request().edit([](VideoRequest& form) { form.video = "/videos/clip.mp4"; });
        QVERIFY(control->isVisible());
        QCOMPARE(control->currentText(), QStringLiteral("The video as it is"));
        control->setFocus();
        QTest::keyClick(control, Qt::Key_Down);
        QCOMPARE(request.control, ControlSource::edges);
        QTest::keyClick(control, Qt::Key_Down);
        QCOMPARE(request.control, ControlSource::gray);
        QTest::keyClick(control, Qt::Key_Down);
        QCOMPARE(request.control, ControlSource::flow);
        QVERIFY(fixture.window->request().canRun());
        fixture.window->request().edit([](VideoRequest& form) { form.video.reset(); });
        QVERIFY(control->isVisible());  // so that the user can correct it
        QVERIFY(!fixture.window->request().canRun());
        fixture.window->request().edit([](VideoRequest& form) { form.control = ControlSource::ready; });
        QVERIFY(!control->isVisible());
    }

    void aMaskIsPaintedOverAFrame() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(choose(fixture, "/models/control"));
        QVERIFY(!fixture.find<QPushButton>("paintMaskButton")->isVisible());
        fixture.window->request().edit([](VideoRequest& request) { request.video = "/videos/clip.mp4"; });
        QTest::mouseClick(fixture.find<QPushButton>("paintMaskButton"), Qt::LeftButton);
        auto* dialog = fixture.find<ui::MaskDialog>("maskDialog");
        ui::MaskCanvas* canvas = dialog->canvas();
        QTRY_COMPARE(canvas->mask().size(), QSize(64, 36));
        auto* use = dialog->findChild<QPushButton*>("useMaskButton");
        QVERIFY(!use->isEnabled());  // nothing is painted
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->rect().center());
        QCOMPARE(qGray(canvas->mask().pixel(32, 18)), 255);
        QCOMPARE(qGray(canvas->mask().pixel(0, 0)), 0);
        QVERIFY(use->isEnabled());
        use->click();
        const auto& request = fixture.window->request().request();
        QTRY_VERIFY(request.mask);
        const QString file = QString::fromStdU16String(request.mask->u16string());
        QVERIFY(file.startsWith(fixture.folder.filePath("data")));
        QCOMPARE(qGray(ui::readMask(file).pixel(32, 18)), 255);

        QTRY_VERIFY(!fixture.find<ui::MaskDialog>("maskDialog"));
        QTest::mouseClick(fixture.find<QPushButton>("paintMaskButton"), Qt::LeftButton);  // the mask goes on
        dialog = fixture.find<ui::MaskDialog>("maskDialog");
        QTRY_VERIFY(dialog->findChild<QPushButton*>("useMaskButton")->isEnabled());
        QCOMPARE(qGray(dialog->canvas()->mask().pixel(32, 18)), 255);
    }

    void aMaskIsPaintedWithTheKeyboard() {
        ui::Theme theme;
        ui::MaskCanvas canvas(theme);
        canvas.resize(640, 360);
        QImage picture(64, 36, QImage::Format_RGB32);
        picture.fill(Qt::gray);
        canvas.setPicture(picture);
        canvas.setBrushSize(8);
        const auto at = [&](int x, int y) { return qGray(canvas.mask().pixel(x, y)); };
        QTest::keyClick(&canvas, Qt::Key_Right);  // 2 px, a quarter of the brush
        QTest::keyClick(&canvas, Qt::Key_Space);
        QCOMPARE(at(34, 18), 255);
        QCOMPARE(at(26, 18), 0);
        for (int i = 0; i < 10; ++i) QTest::keyClick(&canvas, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(at(16, 18), 255);
        QTest::keyClick(&canvas, Qt::Key_X);
        QTest::keyClick(&canvas, Qt::Key_Space);
        QCOMPARE(at(14, 18), 0);
        QTest::keyClick(&canvas, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(at(14, 18), 255);
        QTest::keyClick(&canvas, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(at(14, 18), 0);
        QTest::keyClick(&canvas, Qt::Key_I);
        QCOMPARE(at(14, 18), 255);
        QCOMPARE(at(34, 18), 0);
        QTest::keyClick(&canvas, Qt::Key_BracketRight);
        QCOMPARE(canvas.brushSize(), 11);
        QTest::keyClick(&canvas, Qt::Key_Delete);
        QVERIFY(ui::isEmptyMask(canvas.mask()));
    }

    void aGrayMaskIsSplitAtHalf() {
        ui::Theme theme;
        ui::MaskCanvas canvas(theme);
        QImage picture(4, 4, QImage::Format_RGB32);
        picture.fill(Qt::gray);
        canvas.setPicture(picture);
        QImage mask(4, 4, QImage::Format_Grayscale8);
        mask.fill(127);
        mask.setPixelColor(1, 1, QColor(128, 128, 128));
        canvas.setMask(mask);
        QCOMPARE(qGray(canvas.mask().pixel(1, 1)), 255);
        QCOMPARE(qGray(canvas.mask().pixel(0, 0)), 0);
        QVERIFY(!ui::isEmptyMask(canvas.mask()));
    }

    void aTouchpadChangesTheBrushSlowly() {
        ui::Theme theme;
        ui::MaskCanvas canvas(theme);
        canvas.setBrushSize(40);
        for (int i = 0; i < 9; ++i) {
            QWheelEvent wheel({5, 5}, {5, 5}, {}, {0, 14}, Qt::NoButton, Qt::NoModifier, Qt::ScrollUpdate, false);
            QApplication::sendEvent(&canvas, &wheel);
        }
        QCOMPARE(canvas.brushSize(), 51);  // one step for 126 of 120
    }

    void aStrokeIsUndoneAsAWhole() {
        ui::Theme theme;
        ui::MaskCanvas canvas(theme);
        canvas.resize(648, 368);
        QImage picture(64, 36, QImage::Format_RGB32);
        picture.fill(Qt::gray);
        canvas.setPicture(picture);
        QTest::mousePress(&canvas, Qt::LeftButton, {}, {100, 100});
        QTest::keyClick(&canvas, Qt::Key_Z, Qt::ControlModifier);  // in the middle of the stroke
        QVERIFY(!ui::isEmptyMask(canvas.mask()));
        QTest::mouseMove(&canvas, {300, 200});
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, {300, 200});
        QVERIFY(canvas.canUndo());
        canvas.undo();
        QVERIFY(ui::isEmptyMask(canvas.mask()));
    }

    void aMaskFileIsNeverReplaced() {
        QTemporaryDir folder;
        QImage mask(8, 8, QImage::Format_Grayscale8);
        mask.fill(Qt::white);
        const ui::SavedPicture first = ui::savePicture(mask, folder.filePath("masks"), "mask");
        QCOMPARE(first.fault, QString());
        QCOMPARE(ui::savePicture(mask, folder.filePath("masks"), "mask").file, first.file);
        mask.setPixelColor(0, 0, Qt::black);
        QVERIFY(ui::savePicture(mask, folder.filePath("masks"), "mask").file != first.file);
        QCOMPARE(QDir(folder.filePath("masks")).entryList(QDir::Files).size(), 2);
        QFile blocked(folder.filePath("file"));
        QVERIFY(blocked.open(QIODevice::WriteOnly));
        QVERIFY(!ui::savePicture(mask, blocked.fileName(), "mask").fault.isEmpty());
        QVERIFY(ui::readMask(blocked.fileName()).isNull());
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
