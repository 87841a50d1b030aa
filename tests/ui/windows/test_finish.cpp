// The dialog that enlarges, interpolates and adds sound to a video.
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QtTest>

#include "tests/support/window_fixture.h"
#include "ui/models/finish_choice.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/run_panel.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/nav_rail.h"
#include "ui/windows/finish_dialog.h"

using namespace kinescope;
using testing::WindowFixture;
using ui::RunState;

namespace {

/// A window with the dialog for a finished video.
std::unique_ptr<WindowFixture> opened() {
    auto fixture = std::make_unique<WindowFixture>(testing::healthyRun());
    if (!fixture->isReady()) return nullptr;
    fixture->action("actionGenerate")->trigger();
    if (!fixture->reaches(RunState::done)) return nullptr;
    fixture->action("actionFinishVideo")->trigger();
    return fixture;
}

ui::FinishDialog* dialogIn(WindowFixture& fixture) {
    return fixture.find<ui::FinishDialog>("finishDialog");
}

template <class Widget>
Widget* partOf(ui::FinishDialog* dialog, const char* name) {
    return dialog->findChild<Widget*>(QLatin1String(name));
}

QString messageOf(ui::FinishDialog* dialog) {
    return partOf<ui::MessageLine>(dialog, "finishMessage")->text();
}

}  // namespace

class TestFinish : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void aRunShowsTheFramesThatItFinishes_data() {
        QTest::addColumn<int>("numHeld");
        QTest::addColumn<int>("done");
        QTest::addColumn<QString>("text");
        QTest::newRow("frames") << 2 << 30 << "30 of 49 frames finished";
        QTest::newRow("file") << 1 << 49 << "Completing the file";
    }
    void aRunShowsTheFramesThatItFinishes() {
        QFETCH(int, numHeld);
        QFETCH(int, done);
        QFETCH(QString, text);
        const std::size_t numEvents = testing::healthyRun()(with_defaults({}, testing::demoCard())).size() + 4;
        WindowFixture fixture(
            [](const VideoRequest& request) {
                std::vector<RunEvent> events = testing::healthyRun()(request);
                events.insert(events.end() - 1, {FinishProgress{.done = 20, .total = 49}, PhaseStarted{Phase::save, 1},
                                                 FinishProgress{.done = 30, .total = 49}});
                events.insert(events.end() - 1, FinishProgress{.done = 49, .total = 49, .stage = FinishStage::file});
                return events;
            },
            numEvents - static_cast<std::size_t>(numHeld));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        auto* detail = fixture.find<ui::ElidedLabel>("runDetailLabel");
        QTRY_COMPARE(detail->fullText(), text);
        QCOMPARE(fixture.find<ui::RunPanel>("runPanel")->title(), QStringLiteral("Finishing the frames"));
        QCOMPARE(fixture.window->run().phases()[4].doneUnits, done);
        QCOMPARE(fixture.window->run().phases()[4].totalUnits, 49);
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
    }

    void aChoiceBecomesARequest() {
        ui::FinishChoice choice{.video = "a.mp4", .target = "b.mp4", .interpolator = "r.pkl", .rate = "60"};
        FinishRequest request = finishRequest(choice);
        QCOMPARE(*request.steps.interpolation_fps, 60);
        QVERIFY(!request.steps.interpolation_factor);
        choice.rate = "x4";
        choice.audio = "t.wav";
        choice.fadeOut = 2;
        request = finishRequest(choice);
        QCOMPARE(*request.steps.interpolation_factor, 4);
        QCOMPARE(*request.steps.audio.fade_out, 2.0);
        QVERIFY(!request.steps.audio.fade_in);
        QVERIFY(validate(request).empty());
        QVERIFY(!validate(ui::finishRequest({.video = "a.mp4", .target = "b.mp4"})).empty());
    }

    void theNameIsFreeAndHoldsSound() {
        const QTemporaryDir folder;
        const auto in = [&](const char* name) { return folder.filePath(QLatin1String(name)); };
        QCOMPARE(ui::freeFinishName(in("ball.webm")), in("ball-finished.webm"));
        QCOMPARE(ui::freeFinishName(in("ball.gif")), in("ball-finished.mp4"));
        QFile taken(in("ball-finished.mp4"));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        QVERIFY(ui::freeFinishName(in("ball.mp4")) != in("ball-finished.mp4"));
    }

    void aTypedNameIsCompleted_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("target");
        QTest::newRow("no folder") << "clip2.mkv"
                                   << "/videos/clip2.mkv";
        QTest::newRow("no extension") << "/other/clip2"
                                      << "/other/clip2.webm";
        QTest::newRow("neither") << "clip2"
                                 << "/videos/clip2.webm";
        QTest::newRow("a dot in the name") << "take 1.5"
                                           << "/videos/take 1.5.webm";
        QTest::newRow("a folder below") << "new/clip2"
                                        << "/videos/new/clip2.webm";
        QTest::newRow("complete") << "/other/clip2.mp4"
                                  << "/other/clip2.mp4";
    }
    void aTypedNameIsCompleted() {
        QFETCH(QString, typed);
        QFETCH(QString, target);
        QCOMPARE(ui::finishTarget(typed, QStringLiteral("/videos"), QStringLiteral("/videos/ball.webm")), target);
    }

    void aNameWithoutFolderIsBesideTheVideo() {
        const auto fixture = opened();
        QVERIFY(fixture);
        const std::filesystem::path folder = fixture->bridge->jobs().at(0).output.parent_path();
        ui::FinishDialog* dialog = dialogIn(*fixture);
        auto* name = partOf<QLineEdit>(dialog, "finishNameEdit");
        partOf<QLineEdit>(dialog, "finishUpscalerEdit")->setText("/networks/2x.pth");
        name->setText("clip2");
        partOf<QPushButton>(dialog, "startFinishButton")->click();
        QTRY_COMPARE(fixture->engine->finishes().size(), std::size_t{1});
        QCOMPARE(fixture->engine->finishes()[0].output.file, folder / "clip2.mp4");
        QCOMPARE(name->text(), QDir::toNativeSeparators(QString::fromStdString((folder / "clip2.mp4").string())));
    }

    /// The file dialog has asked about the name without its extension only.
    void aChosenNameThatIsCompletedMayBeTaken() {
        const auto fixture = opened();
        QVERIFY(fixture);
        ui::FinishDialog* dialog = dialogIn(*fixture);
        partOf<QLineEdit>(dialog, "finishUpscalerEdit")->setText("/networks/2x.pth");
        QFile taken(fixture->folder.filePath("taken.mp4"));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        fixture->saveName = fixture->folder.filePath("taken");
        partOf<QPushButton>(dialog, "finishNameButton")->click();
        QCOMPARE(partOf<QLineEdit>(dialog, "finishNameEdit")->text(), QDir::toNativeSeparators(taken.fileName()));
        partOf<QPushButton>(dialog, "startFinishButton")->click();
        QCOMPARE(messageOf(dialog), QStringLiteral("taken.mp4 exists already."));
        QVERIFY(fixture->engine->finishes().empty());
    }

    void aVideoIsFinished() {
        const auto fixture = opened();
        QVERIFY(fixture);
        ui::FinishDialog* dialog = dialogIn(*fixture);
        QVERIFY(dialog && dialog->isVisible());
        auto* start = partOf<QPushButton>(dialog, "startFinishButton");
        QVERIFY(!start->isEnabled());  // no step yet
        QVERIFY(!partOf<QComboBox>(dialog, "finishRateCombo")->isEnabled());
        QTest::keyClicks(partOf<QLineEdit>(dialog, "finishUpscalerEdit"), "/networks/2x.pth");
        QTest::keyClicks(partOf<QLineEdit>(dialog, "finishInterpolatorEdit"), "/networks/rife.pkl");
        QVERIFY(partOf<QComboBox>(dialog, "finishRateCombo")->isEnabled());
        QVERIFY(!partOf<QDoubleSpinBox>(dialog, "finishFadeInSpin")->isEnabled());
        QVERIFY(start->isEnabled());
        auto* factor = partOf<QComboBox>(dialog, "finishFactorCombo");
        QCOMPARE(factor->currentText(), QStringLiteral("As the upscaler makes it"));
        for (int i = 0; i < 2; ++i) QTest::keyClick(factor, Qt::Key_Down);
        partOf<QLineEdit>(dialog, "finishAudioEdit")->setText("/sounds/a.wav");
        partOf<QDoubleSpinBox>(dialog, "finishAudioStartSpin")->setValue(1.5);
        start->click();
        QTRY_VERIFY2(messageOf(dialog).startsWith("Saved: "), qPrintable(messageOf(dialog)));
        const auto requests = fixture->engine->finishes();
        QCOMPARE(requests.size(), std::size_t{1});
        QCOMPARE(requests[0].steps.upscaler, std::filesystem::path("/networks/2x.pth"));
        QCOMPARE(*requests[0].steps.interpolation_factor, 2);
        QCOMPARE(requests[0].steps.upscale_factor, std::optional(2));
        QCOMPARE(requests[0].steps.audio.start, std::optional(1.5));
        QVERIFY(!start->isEnabled());
        const QPointer<ui::FinishDialog> closed = dialog;
        dialog->close();
        QTRY_VERIFY(closed.isNull());
        fixture->action("actionFinishVideo")->trigger();  // remembers the networks
        QCOMPARE(partOf<QLineEdit>(dialogIn(*fixture), "finishUpscalerEdit")->text(),
                 QStringLiteral("/networks/2x.pth"));
    }

    /// Fields that can't be used yet say why.
    void aDisabledFieldHasAReason() {
        const auto fixture = opened();
        QVERIFY(fixture);
        ui::FinishDialog* dialog = dialogIn(*fixture);
        const auto reasonOf = [dialog](const char* name) {
            auto* field = partOf<QWidget>(dialog, name);
            return field->isEnabled() ? QStringLiteral("enabled") : field->toolTip();
        };
        auto* state = partOf<QLabel>(dialog, "finishStateLabel");
        partOf<QLineEdit>(dialog, "finishUpscalerEdit")->clear();
        partOf<QLineEdit>(dialog, "finishInterpolatorEdit")->clear();
        QCOMPARE(reasonOf("finishFactorCombo"), QStringLiteral("Choose an upscaler first."));
        QCOMPARE(reasonOf("finishRateCombo"), QStringLiteral("Choose an interpolator first."));
        for (const char* name : {"finishLoopCheck", "finishAudioStartSpin", "finishFadeInSpin", "finishFadeOutSpin"})
            QCOMPARE(reasonOf(name), QStringLiteral("Choose audio first."));
        QVERIFY(state->isVisible());
        QCOMPARE(state->text(), QStringLiteral("Choose an upscaler, an interpolator or audio first."));
        QCOMPARE(reasonOf("startFinishButton"), state->text());
        partOf<QLineEdit>(dialog, "finishAudioEdit")->setText(QStringLiteral("/sounds/rain.wav"));
        QCOMPARE(reasonOf("finishFadeInSpin"), QStringLiteral("enabled"));
        QCOMPARE(reasonOf("startFinishButton"), QStringLiteral("enabled"));
        QVERIFY(!state->isVisible());
        partOf<QLineEdit>(dialog, "finishNameEdit")->clear();
        QCOMPARE(state->text(), QStringLiteral("Choose a name for the finished video."));
    }

    /// Esc and the frame's button must not end hours of work.
    void theWorkGoesOnUntilItIsStopped_data() {
        QTest::addColumn<bool>("discards");
        QTest::newRow("stop") << false;
        QTest::newRow("discard") << true;
    }
    void theWorkGoesOnUntilItIsStopped() {
        QFETCH(bool, discards);
        const auto fixture = opened();
        QVERIFY(fixture);
        fixture->engine->setFinishHeld(true);
        ui::FinishDialog* dialog = dialogIn(*fixture);
        partOf<QLineEdit>(dialog, "finishUpscalerEdit")->setText("/networks/2x.pth");
        partOf<QPushButton>(dialog, "startFinishButton")->click();
        auto* progress = partOf<QProgressBar>(dialog, "finishProgressBar");
        QTRY_COMPARE(progress->value(), 12);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->close());
        QVERIFY(dialog->isVisible() && progress->isVisible());
        QVERIFY(messageOf(dialog).startsWith("The work goes on."));
        QCOMPARE(fixture->engine->numCancelledFinishes() + fixture->engine->numPausedFinishes(), 0);
        if (discards)
            Q_EMIT partOf<ui::MessageLine>(dialog, "finishMessage")->fixActivated();
        else
            partOf<QPushButton>(dialog, "closeFinishButton")->click();
        QTRY_VERIFY2(messageOf(dialog).startsWith("Stopped."), qPrintable(messageOf(dialog)));
        QCOMPARE(messageOf(dialog).contains("kept for two weeks"), !discards);
        QCOMPARE(fixture->engine->numCancelledFinishes(), discards ? 1 : 0);
        QCOMPARE(fixture->engine->numPausedFinishes(), discards ? 0 : 1);
        QVERIFY(partOf<QPushButton>(dialog, "startFinishButton")->isEnabled());
        const QPointer<ui::FinishDialog> closed = dialog;
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(closed.isNull());
    }

    /// Closing the window keeps the finished parts, too.
    void aDeletedDialogPausesTheWork() {
        const auto fixture = opened();
        QVERIFY(fixture);
        fixture->engine->setFinishHeld(true);
        ui::FinishDialog* dialog = dialogIn(*fixture);
        partOf<QLineEdit>(dialog, "finishUpscalerEdit")->setText("/networks/2x.pth");
        partOf<QPushButton>(dialog, "startFinishButton")->click();
        QTRY_COMPARE(partOf<QProgressBar>(dialog, "finishProgressBar")->value(), 12);
        delete dialog;
        QTRY_COMPARE(fixture->engine->numPausedFinishes(), 1);
        QCOMPARE(fixture->engine->numCancelledFinishes(), 0);
    }

    void theWorkCanBeStopped() {
        const auto fixture = opened();
        QVERIFY(fixture);
        fixture->engine->setFinishHeld(true);
        ui::FinishDialog* dialog = dialogIn(*fixture);
        partOf<QLineEdit>(dialog, "finishUpscalerEdit")->setText("/networks/2x.pth");
        partOf<QPushButton>(dialog, "startFinishButton")->click();
        QTRY_COMPARE(partOf<QProgressBar>(dialog, "finishProgressBar")->value(), 12);
        QVERIFY(partOf<QLabel>(dialog, "finishStateLabel")->text().startsWith("12 of 24 frames"));
        QVERIFY(!partOf<QLineEdit>(dialog, "finishUpscalerEdit")->isEnabled());
        partOf<QPushButton>(dialog, "closeFinishButton")->click();
        QTRY_COMPARE(
            messageOf(dialog),
            QStringLiteral("Stopped. The finished parts are kept for two weeks; Finish continues after them."));
        QVERIFY(dialog->isVisible());
    }

    void anExistingFileIsReplacedOnlyAfterAQuestion() {
        const auto fixture = opened();
        QVERIFY(fixture);
        ui::FinishDialog* dialog = dialogIn(*fixture);
        QFile taken(fixture->folder.filePath("taken.mp4"));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        partOf<QLineEdit>(dialog, "finishUpscalerEdit")->setText("/networks/2x.pth");
        partOf<QLineEdit>(dialog, "finishNameEdit")->setText(taken.fileName());
        partOf<QPushButton>(dialog, "startFinishButton")->click();
        QCOMPARE(messageOf(dialog), QStringLiteral("taken.mp4 exists already."));
        QVERIFY(fixture->engine->finishes().empty());
        Q_EMIT partOf<ui::MessageLine>(dialog, "finishMessage")->fixActivated();
        QTRY_COMPARE(fixture->engine->finishes().size(), std::size_t{1});
        QCOMPARE(fixture->engine->finishes()[0].output.overwrite, OverwriteMode::overwrite);
    }
};

QTEST_MAIN(TestFinish)
#include "test_finish.moc"
