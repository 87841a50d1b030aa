#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

#include "tests/support/chinese.h"
#include "tests/support/window_fixture.h"
#include "ui/widgets/clip_view.h"
#include "ui/widgets/language.h"
#include "ui/widgets/plots/plot_view.h"
#include "ui/windows/guard_demo_dialog.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::WindowFixture;

namespace {

QString textOf(WindowFixture& fixture, const char* label) {
    return fixture.find<QLabel>(label)->text();
}

GuardDemoDialog* openDemo(WindowFixture& fixture) {
    fixture.action("actionSeeGuardWork")->trigger();
    return fixture.find<GuardDemoDialog>("guardDemoDialog");
}

bool finishes(const GuardDemoDialog& dialog) {
    return QTest::qWaitFor([&] { return dialog.demo().state() == GuardDemo::State::done; });
}

}  // namespace

class TestGuardDemoDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void cleanup() { chooseLanguage(QStringLiteral("en")); }

    void showsTheThreeVideosAndExplainsThem() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        GuardDemoDialog* dialog = openDemo(fixture);
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(finishes(*dialog));
        QCOMPARE(fixture.find<ClipView>("unguardedView")->numFrames(), 0);
        QCOMPARE(fixture.find<ClipView>("guardedView")->numFrames(), 9);
        QCOMPARE(fixture.find<ClipView>("referenceView")->numFrames(), 9);
        QCOMPARE(textOf(fixture, "unguardedVerdictLabel"), QStringLiteral("No video: invalid values since step 1"));
        QVERIFY(textOf(fixture, "unguardedTextLabel")
                    .startsWith(
                        QStringLiteral("Step 1, block 2, attention queries: 0 NaN and 1,204 Inf in 61,440 values.")));
        QVERIFY(textOf(fixture, "guardedVerdictLabel").startsWith(QStringLiteral("Healed at step 1. PSNR ")));
        QVERIFY(textOf(fixture, "guardedTextLabel").contains(QStringLiteral("discarded step 1")));
        QVERIFY(textOf(fixture, "guardedTextLabel").contains(QStringLiteral("in scaled fp16")));
        QVERIFY(textOf(fixture, "referenceTextLabel").contains(QStringLiteral("370,000")));
        QVERIFY(textOf(fixture, "guardDemoCauseLabel").contains(QStringLiteral("32,768 times larger")));
        const int height = fixture.find<QWidget>("unguardedView")->height();  // the texts have different lengths
        QTRY_COMPARE(fixture.find<QWidget>("guardedView")->height(), height);
        QTRY_COMPARE(fixture.find<QWidget>("referenceView")->height(), height);
        const auto* plot = fixture.find<PlotView>("guardDemoPlot");
        QVERIFY(plot->isVisible());
        QCOMPARE(plot->series(0).size(), 4);
        QCOMPARE(*plot->spec().limit, 65504.0);
    }

    void theFirstStartOffersIt() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* button = fixture.find<QPushButton>("seeGuardWorkButton");
        QVERIFY(button && button->isVisible());
        button->click();
        QVERIFY(fixture.find<GuardDemoDialog>("guardDemoDialog")->isVisible());
    }

    void runsAgain() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        GuardDemoDialog* dialog = openDemo(fixture);
        auto* again = fixture.find<QPushButton>("guardDemoAgainButton");
        QVERIFY(!again->isEnabled());
        QVERIFY(finishes(*dialog));
        again->click();
        QCOMPARE(dialog->demo().state(), GuardDemo::State::running);
        QVERIFY(finishes(*dialog));
    }

    void tellsWhyItCannotRun() {
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            engine.failDemo(Error(ErrorCode::file_not_found, "no built-in model"));
        });
        QVERIFY(fixture.isReady());
        GuardDemoDialog* dialog = openDemo(fixture);
        QTRY_COMPARE(dialog->demo().state(), GuardDemo::State::failed);
        QVERIFY(!textOf(fixture, "guardDemoCauseLabel").isEmpty());
        QVERIFY(fixture.find<QPushButton>("guardDemoAgainButton")->isEnabled());
    }

    void speaksChinese() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        GuardDemoDialog* dialog = openDemo(fixture);
        QVERIFY(finishes(*dialog));
        chooseLanguage(QStringLiteral("zh_CN"));
        for (const char* label : {"unguardedTextLabel", "guardedTextLabel", "referenceTextLabel", "guardDemoCauseLabel",
                                  "guardedVerdictLabel"})
            QTRY_VERIFY2(testing::isChinese(textOf(fixture, label)), qPrintable(textOf(fixture, label)));
    }
};

QTEST_MAIN(TestGuardDemoDialog)
#include "test_guard_demo_dialog.moc"
