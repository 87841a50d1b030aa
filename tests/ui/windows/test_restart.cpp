// Tests the state that the window restores at the next start.
#include <QtTest>

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSpinBox>

#include "tests/support/window_fixture.h"
#include "ui/models/preset_model.h"
#include "ui/panels/request_panel.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/section.h"
#include "ui/windows/view_controller.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::WindowFixture;

namespace {

/// Opens another window with the same settings.
void startAgain(WindowFixture& fixture) {
    fixture.window.reset();
    fixture.window = std::make_unique<MainWindow>(fixture.theme, *fixture.bridge, fixture.settings, Desktop{});
    fixture.window->show();
}

QString promptOf(WindowFixture& fixture) {
    return fixture.find<QPlainTextEdit>("promptEdit")->toPlainText();
}

}  // namespace

class TestRestart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFormSurvivesARestart() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().edit([](VideoRequest& request) {
            request.prompt = "A yellow cube";
            request.num_inference_steps = 7;
            request.width = 160;
            request.height = 96;
            request.seed = 4711;
        });
        fixture.window->request().setSeedMode(SeedMode::locked);
        QVERIFY(fixture.window->close());
        startAgain(fixture);
        QVERIFY(fixture.isReady());
        QCOMPARE(promptOf(fixture), QStringLiteral("A yellow cube"));
        const VideoRequest& request = fixture.window->request().request();
        QCOMPARE(request.num_inference_steps, std::optional(7));
        QCOMPARE(request.width, std::optional(160));
        QCOMPARE(request.seed, std::optional<std::uint64_t>(4711));
        QCOMPARE(fixture.window->request().seedMode(), SeedMode::locked);
        QCOMPARE(fixture.find<QSpinBox>("stepsSpin")->value(), 7);
    }

    void whatIsKnownOfAFormOfAnotherVersionIsRestored_data() {
        QTest::addColumn<QString>("known");
        QTest::addColumn<QString>("unknown");
        QTest::newRow("word") << R"("offload":"blocks")"
                              << R"("offload":"layers")";
        QTest::newRow("type") << R"("dtype":"fp16")"
                              << R"("dtype":"int3")";
        QTest::newRow("key") << R"("offload")"
                             << R"("unload")";
    }

    void whatIsKnownOfAFormOfAnotherVersionIsRestored() {
        QFETCH(QString, known);
        QFETCH(QString, unknown);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().edit([](VideoRequest& request) {
            request.prompt = "A yellow cube";
            request.offload = OffloadMode::blocks;
            request.dtype = DtypeChoice::fp16;
        });
        QVERIFY(fixture.window->close());
        QString form = Preferences(fixture.settings).form();
        QCOMPARE(form.count(known), qsizetype{1});
        Preferences(fixture.settings).setForm(form.replace(known, unknown));
        startAgain(fixture);
        QVERIFY(fixture.isReady());
        QCOMPARE(promptOf(fixture), QStringLiteral("A yellow cube"));
        const VideoRequest& request = fixture.window->request().request();
        QCOMPARE(request.offload == OffloadMode::automatic, known.contains("offload"));
        QCOMPARE(request.dtype == DtypeChoice::automatic, known.contains("dtype"));
    }

    void theFormSurvivesACrash() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().edit([](VideoRequest& request) { request.prompt = "A white ball"; });
        QTRY_VERIFY(Preferences(fixture.settings).form().contains("A white ball"));
        startAgain(fixture);  // simulates the end of the process without close()
        QVERIFY(fixture.isReady());
        QCOMPARE(promptOf(fixture), QStringLiteral("A white ball"));
    }

    void anUnlockedSeedIsDrawnAgain() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().edit([](VideoRequest& request) { request.seed = 123456789; });
        QVERIFY(fixture.window->close());
        startAgain(fixture);
        QVERIFY(fixture.isReady());
        QVERIFY(fixture.window->request().request().seed != 123456789);
    }

    void theChosenPresetIsRemembered_data() {
        QTest::addColumn<QString>("preset");
        for (const char* preset : {"", "cpu", "cpu-fast"}) QTest::newRow(preset) << QString(preset);
    }

    void theChosenPresetIsRemembered() {
        QFETCH(QString, preset);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QTRY_VERIFY(!fixture.window->request().presets().presets().empty());
        fixture.window->request().presets().choose(preset);
        fixture.window->request().edit([](VideoRequest& request) { request.fps = 24; });
        const VideoRequest before = fixture.window->request().request();
        QVERIFY(fixture.window->close());
        startAgain(fixture);
        QVERIFY(fixture.isReady());
        const PresetModel& presets = fixture.window->request().presets();
        QTRY_VERIFY(!presets.presets().empty());
        QCOMPARE(presets.chosen() ? QString::fromStdString(presets.chosen()->name) : QString(), preset);
        QVERIFY(presets.isChanged("fps") && !presets.isChanged("num_inference_steps"));
        QCOMPARE(fixture.window->request().request().storage, before.storage);
        QCOMPARE(fixture.window->request().request().num_inference_steps, before.num_inference_steps);
    }

    void pageAndSectionsSurviveARestart() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.find<NavRail>("navigationRail")->setCurrentIndex(1);
        fixture.find<Section>("qualitySection")->setExpanded(true);
        fixture.find<Section>("videoSection")->setExpanded(false);
        QVERIFY(fixture.window->close());
        startAgain(fixture);
        QCOMPARE(fixture.find<NavRail>("navigationRail")->currentIndex(), 1);
        QVERIFY(fixture.find<Section>("qualitySection")->isExpanded());
        QVERIFY(!fixture.find<Section>("videoSection")->isExpanded());
    }

    void fullScreenSurvivesARestart() {
        WindowFixture fixture(testing::healthyRun());
        fixture.window->setWindowState(Qt::WindowMaximized);
        fixture.action("actionFullScreen")->trigger();
        QVERIFY(fixture.window->isFullScreen());
        QVERIFY(fixture.window->close());
        startAgain(fixture);
        QAction* action = fixture.action("actionFullScreen");
        QVERIFY(fixture.window->isFullScreen());
        QVERIFY(action->isChecked());
        action->trigger();
        QVERIFY(!fixture.window->isFullScreen());
        QVERIFY(fixture.window->isMaximized());
        QVERIFY(!action->isChecked());
    }

    void aMissingModelIsNoError() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(fixture.window->close());
        Preferences(fixture.settings).setModel(QStringLiteral("/models/cogvideox_5b.safetensors"));
        startAgain(fixture);
        auto* strip = fixture.find<NoticeStrip>("noticeStrip");
        QTRY_VERIFY2(strip->accessibleName().startsWith("Can't open the last used model."),
                     qPrintable(strip->accessibleName()));
        QVERIFY(fixture.isReady());
        QCOMPARE(fixture.window->request().card().id, std::string("builtin"));
        QVERIFY(!fixture.find<QLabel>("errorTitleLabel")->isVisible());
        QVERIFY(fixture.window->request().canRun());
        QVERIFY2(strip->accessibleName().startsWith("Can't open the last used model."),
                 qPrintable(strip->accessibleName()));
    }

    /// The computer that has the last used model may be off.
    void theFormSurvivesAComputerThatCannotBeAsked() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().edit([](VideoRequest& request) { request.prompt = "A white ball"; });
        QVERIFY(fixture.window->close());
        Preferences(fixture.settings).setModel(QString::fromLatin1(testing::kUnreachableModel));
        startAgain(fixture);
        QVERIFY(fixture.isReady());
        QTRY_COMPARE(promptOf(fixture), QStringLiteral("A white ball"));
    }

    void theModelOfAComputerIsSelectedWhenTheComputerReturns_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("steps");
        QTest::newRow("the whole form returns") << QString() << 7;
        QTest::newRow("what was typed meanwhile stays, with the steps of the preset") << "A yellow cube" << 20;
    }

    void theModelOfAComputerIsSelectedWhenTheComputerReturns() {
        QFETCH(QString, typed);
        QFETCH(int, steps);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().edit([](VideoRequest& request) {
            request.prompt = "A white ball";
            request.num_inference_steps = 7;
        });
        QVERIFY(fixture.window->close());
        Preferences(fixture.settings).setModel(QString::fromLatin1(testing::kUnreachableModel));
        startAgain(fixture);
        auto* strip = fixture.find<NoticeStrip>("noticeStrip");
        QTRY_VERIFY(strip->accessibleName().contains("Can't open"));
        QVERIFY(fixture.window->close());  // the form of the last session survives this one
        startAgain(fixture);
        strip = fixture.find<NoticeStrip>("noticeStrip");
        QTRY_VERIFY(strip->accessibleName().contains("Can't open"));
        QTRY_COMPARE(promptOf(fixture), QStringLiteral("A white ball"));
        fixture.settings.setValue("runsOn", "studio");
        fixture.engine->setStudio(testing::Studio::off);
        QSignalSpy failed(fixture.bridge.get(), &EngineBridge::modelsFailed);
        fixture.computers->setList({{.computer = {"studio", "ssh studio", {}}, .state = ComputerState::unreachable}});
        QTRY_COMPARE(failed.count(), 1);
        RequestModel& request = fixture.window->request();
        if (!typed.isEmpty()) {
            request.edit([&typed](VideoRequest& form) {
                form.prompt = typed.toStdString();
                form.num_inference_steps.reset();
            });
        }
        fixture.engine->setStudio(testing::Studio::on);
        fixture.computers->setList({{.computer = {"studio", "ssh studio", {}}, .state = ComputerState::connected}});
        QTRY_COMPARE(request.card().id, std::string(testing::kUnreachableModel));
        QCOMPARE(fixture.find<QComboBox>("modelCombo")->currentData().toString(),
                 QString::fromLatin1(testing::kUnreachableModel));
        QTRY_COMPARE(promptOf(fixture), typed.isEmpty() ? QStringLiteral("A white ball") : typed);
        QTRY_COMPARE(request.request().num_inference_steps.value_or(0), steps);
        QVERIFY(!strip->accessibleName().contains("Can't open"));
    }

    /// The user has decided.
    void anotherModelIsKeptWhenTheComputerReturns_data() {
        QTest::addColumn<QString>("model");
        QTest::newRow("another one") << testing::kTilingModel;
        QTest::newRow("the replacement") << "builtin";
    }

    void anotherModelIsKeptWhenTheComputerReturns() {
        QFETCH(QString, model);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(fixture.window->close());
        Preferences(fixture.settings).setModel(QString::fromLatin1(testing::kUnreachableModel));
        startAgain(fixture);
        QTRY_VERIFY(!fixture.find<NoticeStrip>("noticeStrip")->isHidden());
        QVERIFY(fixture.isReady());
        fixture.window->request().chooseModel(model.toStdString());
        QTRY_COMPARE(fixture.window->request().card().id, model.toStdString());
        if (model == QLatin1String("builtin")) fixture.action("actionGenerate")->trigger();
        fixture.engine->setStudio(testing::Studio::on);
        fixture.bridge->askModels();
        QTRY_VERIFY(fixture.find<QComboBox>("modelCombo")->findData(testing::kUnreachableModel) >= 0);
        QCOMPARE(fixture.window->request().card().id, model.toStdString());
        QCOMPARE(Preferences(fixture.settings).model(), model);
    }

    void aFirstStartFitsTheUsableScreen_data() {
        QTest::addColumn<QSize>("usable");
        QTest::addColumn<QSize>("size");
        QTest::newRow("1920x1080") << QSize(1920, 1040) << QSize(1280, 800);
        QTest::newRow("1280x720") << QSize(1280, 690) << QSize(1264, 650);
        QTest::newRow("1366x768, a panel at the side") << QSize(1300, 768) << QSize(1280, 728);
        QTest::newRow("smaller than the usual minimum") << QSize(800, 600) << QSize(784, 560);
    }

    void aFirstStartFitsTheUsableScreen() {
        QFETCH(QSize, usable);
        QFETCH(QSize, size);
        QCOMPARE(firstWindowSize(usable, smallestWindowSize(usable)), size);
    }

    void aRestoredWindowFitsTheUsableScreen_data() {
        QTest::addColumn<QRect>("saved");
        QTest::addColumn<QRect>("usable");
        QTest::addColumn<QRect>("place");
        QTest::newRow("the same screen") << QRect(100, 50, 1280, 800) << QRect(0, 0, 1920, 1040)
                                         << QRect(100, 50, 1280, 800);
        QTest::newRow("as large as the screen")
            << QRect(0, 0, 1920, 1040) << QRect(0, 0, 1920, 1040) << QRect(0, 0, 1920, 1040);
        QTest::newRow("a smaller screen")
            << QRect(8, 27, 1900, 1000) << QRect(0, 0, 1280, 690) << QRect(8, 20, 1264, 650);
        QTest::newRow("smaller than the usual minimum")
            << QRect(8, 27, 1264, 680) << QRect(0, 0, 800, 600) << QRect(8, 20, 784, 560);
    }

    void aRestoredWindowFitsTheUsableScreen() {
        QFETCH(QRect, saved);
        QFETCH(QRect, usable);
        QFETCH(QRect, place);
        QCOMPARE(fittedWindow(saved, usable, smallestWindowSize(usable.size())), place);
    }
};

QTEST_MAIN(TestRestart)
#include "test_restart.moc"
