#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <future>

#include "core/api/fetched_job.h"
#include "tests/support/fake_engine.h"
#include "ui/models/run_model.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

class RefusingEngine : public kinescope::testing::FakeEngine {
public:
    explicit RefusingEngine(RunObserver& observer) : FakeEngine(kinescope::testing::healthyRun(), observer) {}
    JobId submit(VideoRequest) override {
        if (answers.valid()) answers.wait();
        throw Error(ErrorCode::disk_full, "no room for the job");
    }

    std::shared_future<void> answers;  ///< when submit() refuses a job; not valid: at once
};

std::unique_ptr<Engine> makeEngine(RunObserver& observer) {
    return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
}

/// A run whose job is the first of two in the queue.
struct TwoJobs {
    RunObserver* observer = nullptr;
    EngineBridge bridge{[this](RunObserver& own) {
        observer = &own;
        return makeEngine(own);
    }};
    RunModel run{bridge};
    Job first, next;

    void start() {
        QSignalSpy ready(&bridge, &EngineBridge::engineReady);
        QVERIFY(ready.wait());
        first.id = 1;
        first.state = JobState::running;
        next.id = 2;
        observer->on_event(first.id, RunStarted{});
        observer->on_event(0, QueueChanged{{first, next}});
        QTRY_VERIFY(run.facts().job == first.id && bridge.jobs().size() == 2);
    }
};

}  // namespace

/// Sends the events of a run to the model.
class TestRunModel : public QObject {
    Q_OBJECT

    static StepCompleted step(int number, int numSteps = 4) {
        StepCompleted step;
        step.step = number;
        step.num_steps = numSteps;
        step.seconds = 1000;
        return step;
    }
    static VideoRequest prompting(const char* prompt) {
        VideoRequest request;
        request.prompt = prompt;
        return request;
    }
    static QStringList openPrompts(const EngineBridge& bridge) {
        QStringList prompts;
        for (const Job& job : bridge.jobs())
            if (!is_over(job.state)) prompts << QString::fromStdString(job.request.prompt);
        return prompts;
    }
    /// The steps take much longer than the test.
    static void compareLeft(const RunModel& run, double seconds) {
        QVERIFY(run.secondsLeft());
        QVERIFY2(std::abs(*run.secondsLeft() - seconds) < 100, qPrintable(QString::number(*run.secondsLeft())));
    }

private Q_SLOTS:
    /// A window that is opened again reads the events of a task on a cluster from their beginning.
    void stepsThatArriveTogetherAreOver() {
        EngineBridge bridge(&makeEngine);
        RunModel run(bridge);
        std::vector<WindowEvent> events{RunStarted{}, PhaseStarted{Phase::denoise, 20}};
        for (int i = 0; i < 18; ++i) events.emplace_back(step(i, 20));
        Q_EMIT bridge.eventsArrived(events);
        compareLeft(run, 2000);
    }

    /// The queue starts runs that were not expected.
    void aRunOfTheQueueGetsItsPlanLater() {
        EngineBridge bridge(&makeEngine);
        RunModel run(bridge);
        Q_EMIT bridge.eventsArrived({RunStarted{}, PhaseStarted{Phase::denoise, 4}, step(0), step(1)});
        compareLeft(run, 2000);
        run.setPlanned({0, 0, 4000, 9000, 0});
        compareLeft(run, 11000);
    }

    void aRunThatGoesOnDoesNotRepeatItsSteps() {
        EngineBridge bridge(&makeEngine);
        RunModel run(bridge);
        Q_EMIT bridge.eventsArrived(
            {RunStarted{}, PhaseStarted{Phase::denoise, 4}, step(0), step(1), RunPaused{.step = 2}});
        Q_EMIT bridge.eventsArrived({RunStarted{}, PhaseStarted{Phase::denoise, 4}});
        QVERIFY(run.facts().resumed);
        compareLeft(run, 2000);
    }

    void stepsThatWereMissedCount() {
        EngineBridge bridge(&makeEngine);
        RunModel run(bridge);
        Q_EMIT bridge.eventsArrived({RunStarted{}, PhaseStarted{Phase::denoise, 10}, step(0, 10), step(1, 10)});
        Q_EMIT bridge.eventsArrived({RunStarted{}, PhaseStarted{Phase::denoise, 10}, step(6, 10)});
        compareLeft(run, 3000);
        Q_EMIT bridge.eventsArrived({step(7, 10)});
        compareLeft(run, 2000);
    }

    void chunksThatWereMadeBeforeTheConnectionCount() {
        EngineBridge bridge(&makeEngine);
        RunModel run(bridge);
        Q_EMIT bridge.eventsArrived(
            {RunStarted{}, PhaseStarted{Phase::decode, 10}, PhaseProgress{Phase::decode, 8, 10, 8000}});
        compareLeft(run, 2000);
    }

    void stopCancelsTheShownJobOfSeveral_data() {
        QTest::addColumn<bool>("isReady");
        QTest::newRow("before the engine is ready") << false;
        QTest::newRow("before the first event") << true;
    }

    void stopCancelsTheShownJobOfSeveral() {
        QFETCH(bool, isReady);
        EngineBridge bridge([](RunObserver& observer) {
            auto engine = std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
            engine->queue().holdAfter(0);
            return engine;
        });
        RunModel run(bridge);
        QSignalSpy ready(&bridge, &EngineBridge::engineReady);
        if (isReady) QVERIFY(ready.wait());
        run.expect(prompting("first"), nullptr);
        bridge.submit(prompting("first"), Submission::shown);
        for (const char* prompt : {"second", "third"}) bridge.submit(prompting(prompt));
        run.stop();
        QTRY_COMPARE(run.state(), RunState::stopped);
        QTRY_COMPARE(openPrompts(bridge), (QStringList{"second", "third"}));
    }

    void aRefusedJobIsNotShownAsRunning() {
        EngineBridge bridge([](RunObserver& observer) { return std::make_unique<RefusingEngine>(observer); });
        RunModel run(bridge);
        run.expect({}, nullptr);
        bridge.submit({}, Submission::shown);
        QTRY_COMPARE(run.state(), RunState::stopped);
    }

    void aRefusedJobDoesNotEndTheRunOfAnotherProgram() {
        RunObserver* observer = nullptr;
        RefusingEngine* engine = nullptr;
        EngineBridge bridge([&](RunObserver& own) {
            observer = &own;
            auto made = std::make_unique<RefusingEngine>(own);
            engine = made.get();
            return made;
        });
        RunModel run(bridge);
        QSignalSpy ready(&bridge, &EngineBridge::engineReady);
        QVERIFY(ready.wait());
        std::promise<void> answer;
        engine->answers = answer.get_future().share();
        run.expect({}, nullptr);
        bridge.submit({}, Submission::shown);
        observer->on_event(7, RunStarted{});
        QTRY_COMPARE(run.facts().job, JobId{7});
        QSignalSpy refused(&bridge, &EngineBridge::orderRefused);
        answer.set_value();
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY(run.running());
    }

    /// There is nothing left to pause, and the queue must go on.
    void aRunWhoseResultsAreFetchedIsNotStopped() {
        TwoJobs jobs;
        jobs.start();
        if (QTest::currentTestFailed()) return;
        auto& [observer, bridge, run, fetched, next] = jobs;
        fetched.waits_for = kResultsOnTheWayReason;
        observer->on_event(0, QueueChanged{{fetched, next}});
        QTRY_VERIFY(run.isFetching());
        run.pause();
        run.stop();
        QVERIFY(!run.facts().pausing && !run.facts().stopping);
        QVERIFY(!bridge.isHeld());
    }

    void aLostJobFreesTheQueue_data() {
        QTest::addColumn<bool>("isStopped");
        QTest::addColumn<bool>("isRemoved");
        QTest::newRow("a paused job is removed") << false << true;
        QTest::newRow("a paused job is cancelled") << false << false;
        QTest::newRow("a stopped job is removed") << true << true;
        QTest::newRow("a stopped job is cancelled") << true << false;
    }

    /// The user can remove the job in the library instead of deciding about its steps.
    void aLostJobFreesTheQueue() {
        QFETCH(bool, isStopped);
        QFETCH(bool, isRemoved);
        TwoJobs jobs;
        jobs.start();
        if (QTest::currentTestFailed()) return;
        auto& [observer, bridge, run, job, next] = jobs;
        isStopped ? run.stop() : run.pause();
        job.state = JobState::paused;
        observer->on_event(job.id, RunPaused{.step = 3});
        observer->on_event(0, QueueChanged{{job, next}});
        QTRY_COMPARE(run.state(), isStopped ? RunState::stopped : RunState::paused);
        QVERIFY(bridge.isHeld());
        job.state = JobState::cancelled;
        observer->on_event(0, QueueChanged{isRemoved ? std::vector<Job>{next} : std::vector<Job>{job, next}});
        QTRY_VERIFY(!bridge.isHeld());
        QCOMPARE(run.state(), RunState::stopped);
        QCOMPARE(run.facts().keptSteps, 0);
        QCOMPARE(run.facts().cancelled.step, 3);
        QCOMPARE(run.facts().job, isRemoved ? JobId{0} : job.id);
    }

    /// The clock has measured the steps of all parts, so that no step is counted by the mean time.
    void aPauseKeepsTheStepsOfEarlierParts() {
        EngineBridge bridge(&makeEngine);
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
