#include <QtTest>

#include "ui/models/eta_rule.h"
#include "ui/models/run_state.h"
#include "ui/text/error_catalog.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestRunRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void states_data() {
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("event");
        QTest::addColumn<int>("after");
        const auto row = [](const char* name, RunState before, int event, RunState after) {
            QTest::newRow(name) << static_cast<int>(before) << event << static_cast<int>(after);
        };
        row("a run starts", RunState::done, 0, RunState::planning);
        row("a phase starts", RunState::planning, 1, RunState::denoising);
        row("the run ends", RunState::saving, 2, RunState::done);
        row("the run fails", RunState::loading, 3, RunState::failed);
        row("the run is stopped", RunState::denoising, 4, RunState::stopped);
        row("late phase", RunState::stopped, 1, RunState::stopped);
        row("late failure", RunState::done, 3, RunState::done);
        row("an idle window stays idle", RunState::idle, 1, RunState::idle);
    }

    void states() {
        QFETCH(int, before);
        QFETCH(int, event);
        QFETCH(int, after);
        const std::vector<WindowEvent> events{RunStarted{}, PhaseStarted{Phase::denoise, 8}, RunFinished{},
                                              RunFailed{Error(ErrorCode::internal, "x")}, RunCancelled{}};
        QCOMPARE(static_cast<int>(nextState(static_cast<RunState>(before), events[static_cast<std::size_t>(event)])),
                 after);
    }

    void etaIsUnknownBeforeTwoSteps() {
        RunProgress progress{Phase::denoise, 9, 1, 10, {9}, 0, 10};
        QVERIFY(!secondsLeft(std::nullopt, progress));
        progress.stepSeconds = {9, 9};
        progress.secondsInPhase = 18;
        QCOMPARE(*secondsLeft(std::nullopt, progress), 72.0);
    }

    void etaConsidersASlowFirstStep() {
        const PhaseSeconds expected{0, 0, 2, 0, 0};
        QCOMPARE(*phaseSecondsLeft(expected, RunProgress{Phase::denoise, 11, 1, 12, {11}, 0, 12}), 121.0);
        RunProgress fast{Phase::denoise, 0.5, 1, 12, {0.1}, 0, 12};
        fast.secondsSinceStep = 0.4;
        QCOMPARE(*phaseSecondsLeft(expected, fast), 1.5);
    }

    void etaUsesTheLastFiveSteps() {
        const RunProgress progress{Phase::denoise, 110, 6, 10, {100, 2, 2, 2, 2, 2}, 0, 10};
        QCOMPARE(*phaseSecondsLeft(std::nullopt, progress), 8.0);
    }

    void etaOfDecodingNeedsNoPlan() {
        RunProgress progress{Phase::decode, 3, 6, 12, {}, 0};
        QCOMPARE(*secondsLeft(std::nullopt, progress), 3.0);
        progress.numParts = 2;
        QVERIFY(!secondsLeft(std::nullopt, progress));  // nothing is known about the next part
    }

    void repeatedStepsAndPreviewsSayNothingAboutTheStepsAhead() {
        RunProgress progress{Phase::denoise, 90, 2, 10, {10, 10}, 0, 10};
        progress.secondsSinceStep = 4;
        QCOMPARE(*phaseSecondsLeft(std::nullopt, progress), 76.0);
    }

    void etaAddsThePhasesAhead() {
        const PhaseSeconds expected{1, 2, 10, 4, 1};
        QCOMPARE(*secondsLeft(expected, RunProgress{Phase::encode, 0.5, 0, 0, {}, 0}), 16.5);
        QCOMPARE(*secondsLeft(expected, RunProgress{Phase::decode, 3, 6, 12, {}, 0}), 4.0);
        QCOMPARE(*secondsLeft(expected, RunProgress{Phase::load, 30, 0, 0, {}, 0}), 17.0);
    }

    void etaAddsThePartsAhead() {
        const PhaseSeconds expected{1, 2, 10, 4, 1};
        RunProgress progress{Phase::denoise, 2, 16, 30, {1, 1}, 14, 30};
        progress.part = 1;
        progress.numParts = 3;
        progress.stepsOfLaterParts = 10;
        QCOMPARE(*phaseSecondsLeft(expected, progress), 4.0);
        QCOMPARE(*secondsLeft(expected, progress), 4.0 + 4 + 1 + (1 + 2 + 6 + 4 + 1));
    }

    void etaOfSavingCountsTheFramesOfThisPhase() {
        const PhaseSeconds expected{1, 2, 10, 4, 1};
        RunProgress progress{Phase::save, 6, 40, 100, {}, 0};
        progress.doneBefore = 20;
        QCOMPARE(*phaseSecondsLeft(expected, progress), 18.0);
        progress.doneBefore = 40;  // nothing to measure yet
        progress.secondsInPhase = 0;
        QCOMPARE(*phaseSecondsLeft(expected, progress), 1.0);
    }

    void loadingTakesTheRestOfThePlannedTime() {
        Plan plan;
        QVERIFY(!plannedSeconds(plan));
        plan.seconds = 20;
        plan.phases = {{Phase::encode, 1, 0, {}}, {Phase::denoise, 14, 0, {}}, {Phase::decode, 3, 0, {}}};
        QCOMPARE(*plannedSeconds(plan), (PhaseSeconds{2, 1, 14, 3, 0}));
        plan.request.next_prompts = {"two"};
        QCOMPARE(*plannedSeconds(plan), (PhaseSeconds{1, 0.5, 7, 1.5, 0}));
    }

    void everyErrorHasAText_data() {
        QTest::addColumn<int>("code");
        for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code) {
            QTest::newRow(to_string(static_cast<ErrorCode>(code)).data()) << code;
        }
    }

    void everyErrorHasAText() {
        QFETCH(int, code);
        const ErrorText text = errorText(Error(static_cast<ErrorCode>(code), "what happened", "do this"));
        QVERIFY(!text.title.isEmpty());
        QVERIFY(!text.sentence.isEmpty());
        // Only for a refused request is the engine's reason shown, because there are too many for texts of the window.
        QCOMPARE(text.sentence.contains("happened"), static_cast<ErrorCode>(code) == ErrorCode::bad_request);
        QCOMPARE(text.detail, QStringLiteral("What happened. Do this."));
        QVERIFY(!text.fixes.empty());
    }

    void anObservedFaultNamesItsFirstSite() {
        const Error error(ErrorCode::not_finite, "m", "h",
                          {{"guard", "observe"},
                           {"phase", "denoise"},
                           {"step", "1"},
                           {"site", "transformer.blocks.12.attn1"},
                           {"nan", "2"},
                           {"inf", "0"},
                           {"count", "64"}});
        const ErrorText text = errorText(error);
        QCOMPARE(text.title, QStringLiteral("Invalid values (NaN or infinity) since step 1"));
        QVERIFY2(text.sentence.startsWith("Block 12, attention output: 2 NaN and 0 Inf in 64 values."),
                 qPrintable(text.sentence));
        QCOMPARE(text.fixes.front().action, FixAction::useGuard);
        QCOMPARE(text.fixes.front().label, QStringLiteral("Run again with the guard on"));
    }

    void notFiniteNamesStepAndPlace() {
        const Error error(ErrorCode::not_finite, "m", "h", {{"step", "9"}, {"site", "blocks.12.attn1"}});
        QCOMPARE(errorText(error).title,
                 QStringLiteral("Stopped at step 9 because of invalid values (NaN or infinity)"));
        QCOMPARE(errorText(error).sentence,
                 QStringLiteral(
                     "Block 12, attention output: invalid values (NaN or infinity). There is no finished video."));
    }
};

QTEST_GUILESS_MAIN(TestRunRules)
#include "test_run_rules.moc"
