#include <QtTest>

#include "tests/support/fake_computers.h"
#include "ui/models/computer_list_model.h"
#include "ui/models/queue_model.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

constexpr JobId kShown = 99;

StepCompleted longStep(int number) {
    StepCompleted step;
    step.step = number;
    step.num_steps = 10;
    step.seconds = 1000;
    return step;
}

/// A job that runs on another computer while the window shows the job kShown.
class RunElsewhere {
public:
    RunElsewhere() {
        QSignalSpy ready(&bridge_, &EngineBridge::engineReady);
        if (!ready.wait()) return;
        setState(ComputerState::connected);
        computers_->fake.queue().holdAfter(0);
        computers_->choose("studio");
        job_ = computers_->jobs().submit({});
        start();
    }
    void start() {
        send({RunStarted{}, PhaseStarted{Phase::denoise, 10}});
        observer_->on_event(kShown, RunStarted{});  // the run that started last is shown
    }
    bool runs() {
        return QTest::qWaitFor([this] { return row() >= 0 && queue_.job(row()).state == JobState::running; }) &&
               QTest::qWaitFor([this] { return ComputerListModel::of(bridge_).statusOf(job_) != nullptr; });
    }
    /// Lets the computer of the run answer questions about plans.
    void selectComputer() { ComputerListModel::of(bridge_).choose("studio"); }
    void send(const std::vector<RunEvent>& events) {
        for (const RunEvent& event : events) observer_->on_event(job_, event);
    }
    void setState(ComputerState state) {
        computers_->setList({{.computer = {"studio", "ssh studio", {}}, .state = state}});
    }
    int step() { return queue_.job(row()).step; }
    /// The queue as the engine reports it; empty, or with the running job.
    void removeFromQueue() { observer_->on_event(0, QueueChanged{}); }
    void addToQueue() {
        Job job;
        job.id = job_;
        job.state = JobState::running;
        observer_->on_event(0, QueueChanged{{job}});
    }
    bool isListed() const { return row() >= 0; }
    /// The computer that answers, and changes of it that the window does not know yet.
    std::string answering() { return computers_->chosen(); }
    void letAnswer(const std::string& computer) { computers_->choose(computer); }
    /// Waits until the questions so far are answered.
    bool isAnswered() {
        bool answered = false;
        bridge_.request(
            Lane::slow, &queue_, [](Engine&) {}, [&answered] { answered = true; }, [](const Error&) {});
        return QTest::qWaitFor([&answered] { return answered; });
    }
    /// Invalid: unknown.
    QVariant secondsLeft() { return queue_.index(row()).data(QueueModel::SecondsLeftRole); }
    QString reason() { return queue_.index(row()).data(QueueModel::ReasonRole).toString(); }
    bool isShown() const { return bridge_.activeJob() != kShown; }
    /// Adds a job that waits for the one that runs.
    JobId addWaiting() { return computers_->jobs().submit({}); }
    QVariant secondsToStart(JobId job) { return queue_.index(queue_.rowOf(job)).data(QueueModel::SecondsToStartRole); }

private:
    int row() const { return queue_.rowOf(job_); }

    testing::FakeComputers* computers_ = nullptr;
    RunObserver* observer_ = nullptr;
    EngineBridge bridge_{[this](RunObserver& observer) {
        auto engine = std::make_unique<testing::FakeComputers>(testing::healthyRun(), observer);
        computers_ = engine.get();
        observer_ = &observer;
        return engine;
    }};
    QueueModel queue_{bridge_};
    JobId job_ = 0;
};

}  // namespace

class TestQueueTimes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aJobBesideTheShownOneHasATimeOfItsOwn() {
        RunElsewhere run;
        QVERIFY(run.runs());
        run.send({longStep(0)});
        QTRY_COMPARE(run.step(), 1);
        QVERIFY(!run.isShown());
        QVERIFY(!run.secondsLeft().isValid());  // one step says too little
        run.send({longStep(1)});
        QTRY_VERIFY(run.secondsLeft().isValid());
        QVERIFY(std::abs(run.secondsLeft().toDouble() - 8000) < 100);
        run.send({RunPaused{.step = 2}});
        QTRY_VERIFY(!run.secondsLeft().isValid());
    }

    void theTimeIsUnknownWithoutAConnection() {
        RunElsewhere run;
        QVERIFY(run.runs());
        run.send({longStep(0), longStep(1)});
        QTRY_VERIFY(run.secondsLeft().isValid());
        run.setState(ComputerState::connecting);
        QTRY_VERIFY(!run.secondsLeft().isValid());
        run.setState(ComputerState::connected);
        QTRY_VERIFY(run.secondsLeft().isValid());
    }

    void aRunWithoutAConnectionGoesOnThere() {
        RunElsewhere run;
        QVERIFY(run.runs());
        run.send({longStep(0), longStep(1)});
        for (const ComputerState state : {ComputerState::unreachable, ComputerState::connecting}) {
            run.setState(state);
            QTRY_COMPARE(run.reason(), QStringLiteral("No connection to “studio”; the run goes on there"));
            QVERIFY(!run.secondsLeft().isValid());
            run.setState(ComputerState::connected);
            QTRY_COMPARE(run.reason(), QString());
        }
    }

    void aJobThatWaitsForAnotherComputerHasAStart() {
        RunElsewhere run;
        QVERIFY(run.runs());
        const JobId waiting = run.addWaiting();
        run.send({longStep(0), longStep(1)});
        QTRY_VERIFY(run.secondsToStart(waiting).isValid());
        QVERIFY(std::abs(run.secondsToStart(waiting).toDouble() - 8000) < 100);
        run.setState(ComputerState::unreachable);
        QTRY_VERIFY(!run.secondsToStart(waiting).isValid());
    }

    void theTimeLeftIncludesThePhasesAfterTheSteps() {
        RunElsewhere run;
        QVERIFY(run.runs());
        run.selectComputer();
        StepCompleted step = longStep(0);
        for (step.seconds = 0.001; step.step < 10; ++step.step) run.send({step});
        QTRY_COMPARE(run.step(), 10);
        QTRY_VERIFY(run.secondsLeft().isValid());
        QTRY_VERIFY2(run.secondsLeft().toDouble() > 3, qPrintable(run.secondsLeft().toString()));
    }

    void thePlanOfAnotherComputerIsNotUsed() {
        RunElsewhere run;
        QVERIFY(run.runs());
        run.removeFromQueue();
        QTRY_VERIFY(!run.isListed());
        run.letAnswer({});
        run.selectComputer();
        QTRY_COMPARE(run.answering(), std::string("studio"));
        run.letAnswer({});
        run.addToQueue();
        QTRY_VERIFY(run.isListed());
        run.start();
        StepCompleted step = longStep(0);
        for (step.seconds = 0.001; step.step < 10; ++step.step) run.send({step});
        QTRY_COMPARE(run.step(), 10);
        QVERIFY(run.isAnswered());
        QVERIFY2(run.secondsLeft().toDouble() < 3, qPrintable(run.secondsLeft().toString()));
        run.letAnswer("studio");
        run.addToQueue();
        QTRY_VERIFY2(run.secondsLeft().toDouble() > 3, qPrintable(run.secondsLeft().toString()));
    }

    void aJobThatLeftTheQueueIsForgotten() {
        RunElsewhere run;
        QVERIFY(run.runs());
        run.send({longStep(0), longStep(1)});
        QTRY_VERIFY(run.secondsLeft().isValid());
        run.removeFromQueue();
        QTRY_VERIFY(!run.isListed());
        run.addToQueue();
        QTRY_VERIFY(run.isListed());
        QVERIFY(!run.secondsLeft().isValid());
    }
};

QTEST_MAIN(TestQueueTimes)
#include "test_queue_times.moc"
