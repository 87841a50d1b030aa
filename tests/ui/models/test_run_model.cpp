#include <QTest>

#include "tests/support/fake_engine.h"
#include "ui/models/run_model.h"

using namespace kinescope;
using namespace kinescope::ui;

/// Sends the events of a run to the model.
class TestRunModel : public QObject {
    Q_OBJECT

    static StepCompleted step(int number) {
        StepCompleted step;
        step.step = number;
        step.num_steps = 4;
        step.seconds = 1000;
        return step;
    }

private Q_SLOTS:
    /// The clock has measured the steps of all parts, so that no step is counted by the mean time.
    void aPauseKeepsTheStepsOfEarlierParts() {
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
        });
        RunModel run(bridge);
        RunStarted started;
        started.request.num_inference_steps = 2;
        started.request.next_prompts = {"two"};
        Plan plan;
        plan.request = started.request;
        plan.seconds = 40;
        plan.phases = {{Phase::denoise, 20, 0, {}}, {Phase::decode, 20, 0, {}}};
        run.expect(started.request, &plan);
        Q_EMIT bridge.eventsArrived({started, PhaseStarted{Phase::denoise, 4}, step(0), step(1),
                                     PhaseStarted{Phase::save, 1}, PhaseStarted{Phase::load, 1},
                                     PhaseStarted{Phase::denoise, 4}, step(2), RunPaused{.step = 3}});
        QCOMPARE(run.state(), RunState::paused);
        started.part = 1;
        Q_EMIT bridge.eventsArrived({started, PhaseStarted{Phase::denoise, 4}, step(3)});
        QVERIFY(run.facts().resumed);
        QVERIFY2(*run.fractionDone() < 0.5, qPrintable(QString::number(*run.fractionDone())));
    }
};

QTEST_GUILESS_MAIN(TestRunModel)
#include "test_run_model.moc"
