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

    void pauseAndResumeChangeTheState() {
        QCOMPARE(nextState(RunState::denoising, RunPaused{}), RunState::paused);
        QVERIFY(!isRunning(RunState::paused));
        QCOMPARE(nextState(RunState::paused, RunStarted{}), RunState::planning);
        QCOMPARE(nextState(RunState::paused, RunCancelled{}), RunState::stopped);
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

    /// For example while the computer swaps, or the engine hangs.
    void aStepThatTakesLongDoesNotUseUpTheTimeOfTheStepsAhead() {
        RunProgress progress{Phase::denoise, 20, 2, 10, {10, 10}, 0, 10};
        progress.secondsSinceStep = 9;
        QCOMPARE(*phaseSecondsLeft(std::nullopt, progress), 71.0);
        progress.secondsSinceStep = 60;
        QCOMPARE(*phaseSecondsLeft(std::nullopt, progress), 70.0);
        QCOMPARE(*secondsLeft(PhaseSeconds{1, 2, 10, 4, 1}, progress), 75.0);
    }

    void etaAddsThePhasesAhead() {
        const PhaseSeconds expected{1, 2, 10, 4, 1};
        QCOMPARE(*secondsLeft(expected, RunProgress{Phase::encode, 0.5, 0, 0, {}, 0}), 16.5);
        QCOMPARE(*secondsLeft(expected, RunProgress{Phase::decode, 3, 6, 12, {}, 0}), 4.0);
        QCOMPARE(*secondsLeft(expected, RunProgress{Phase::load, 30, 0, 0, {}, 0}), 17.0);
    }

    /// An earlier session made the first part and four steps of the second one.
    void etaAddsThePartsAhead() {
        const PhaseSeconds planned{3, 6, 30, 12, 3};
        RunProgress progress{Phase::denoise, 2, 16, 30, {1, 1}, 14, 30};
        progress.part = 1;
        progress.numParts = 3;
        progress.stepsOfAllParts = 30;
        progress.stepsOfEarlierParts = 10;
        progress.stepsOfLaterParts = 10;
        QCOMPARE(*phaseSecondsLeft(planned, progress), 4.0);
        QCOMPARE(*secondsLeft(planned, progress), 4.0 + 4 + 1 + (1 + 2 + 10 + 4 + 1));
    }

    /// The first of three parts runs 2 of 10 steps, because it starts from an input video.
    void partsShareThePlannedTimeByTheirSteps_data() {
        QTest::addColumn<int>("part");
        QTest::addColumn<double>("denoise");
        QTest::addColumn<double>("later");
        QTest::newRow("first") << 0 << 2.0 << 20.0;
        QTest::newRow("second") << 1 << 10.0 << 10.0;
        QTest::newRow("last") << 2 << 10.0 << 0.0;
    }
    void partsShareThePlannedTimeByTheirSteps() {
        QFETCH(int, part);
        QFETCH(double, denoise);
        QFETCH(double, later);
        constexpr std::array kStepsBefore{0, 2, 12, 22};
        RunProgress progress{.phase = Phase::encode};
        progress.part = part;
        progress.numParts = 3;
        progress.stepsOfAllParts = 22;
        progress.stepsOfEarlierParts = kStepsBefore[static_cast<std::size_t>(part)];
        progress.stepsOfLaterParts = 22 - kStepsBefore[static_cast<std::size_t>(part) + 1];
        const auto expected = expectedSeconds(PhaseSeconds{3, 6, 22, 12, 3}, progress);
        QCOMPARE(expected->part, (PhaseSeconds{1, 2, denoise, 4, 1}));
        const double ahead = 2.0 - part;
        QCOMPARE(expected->later, (PhaseSeconds{ahead, 2 * ahead, later, 4 * ahead, ahead}));
    }

    /// The plan assumes 1 s for a step, but the steps of the first of two parts took 3 s.
    void measuredStepsCountForTheNextPart() {
        const PhaseSeconds planned{2, 2, 20, 2, 2};
        RunProgress progress{.phase = Phase::decode, .stepSeconds = std::vector<double>(10, 3.0), .numSteps = 20};
        progress.numParts = 2;
        progress.stepsOfAllParts = 20;
        progress.stepsOfLaterParts = 10;
        QCOMPARE(*secondsLeft(planned, progress), 1.0 + 1 + (1 + 1 + 30 + 1 + 1));
        progress = {.phase = Phase::load, .stepsBefore = 10, .part = 1, .numParts = 2};
        progress.stepsOfAllParts = 20;
        progress.stepsOfEarlierParts = 10;
        progress.earlierSecondsPerStep = 3;
        QCOMPARE(*secondsLeft(planned, progress), 1 + 1 + 30.0 + 1 + 1);
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

    void aFolderHereDoesNotHelpStorageElsewhere() {
        for (const char* place : {"computer", "storage"})
            for (ErrorCode code : {ErrorCode::disk_full, ErrorCode::output_not_writable}) {
                const ErrorText text = errorText(Error(code, "m", "h", {{place, "shared"}}));
                QCOMPARE(text.fixes.size(), std::size_t{1});
                QCOMPARE(text.fixes.front().action, FixAction::tryAgain);
            }
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
