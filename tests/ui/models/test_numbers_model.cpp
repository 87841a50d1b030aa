#include <QSignalSpy>
#include <QTest>

#include "tests/support/fake_engine.h"
#include "ui/models/numbers_model.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

constexpr JobId kJob = 1;

StepCompleted step(int number) {
    StepCompleted step;
    step.step = number;
    step.num_steps = 4;
    return step;
}

GuardActed learned(const char* site) {
    GuardActed action;
    action.action = GuardAction::learned;
    action.site = site;
    return action;
}

/// The statistics of events that a test sends as the engine.
struct WatchedRuns {
    RunObserver* observer = nullptr;
    EngineBridge bridge{[this](RunObserver& own) {
        observer = &own;
        return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), own);
    }};
    NumbersModel numbers{bridge};
    QSignalSpy ready{&bridge, &EngineBridge::engineReady};

    bool isReady() { return ready.wait(); }
};

}  // namespace

/// Which statistics belong to a run that starts again.
class TestNumbersModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyARunThatGoesOnKeepsItsStatistics_data() {
        QTest::addColumn<std::vector<RunEvent>>("before");
        QTest::addColumn<bool>("isKept");
        using Events = std::vector<RunEvent>;
        QTest::newRow("its engine ended") << Events{} << true;
        QTest::newRow("it was paused") << Events{RunPaused{.step = 1}} << true;
        QTest::newRow("its steps were discarded") << Events{RunPaused{.step = 1}, RunCancelled{.step = 1}} << false;
        QTest::newRow("it failed") << Events{RunFailed{Error(ErrorCode::internal, "no")}} << false;
    }

    void onlyARunThatGoesOnKeepsItsStatistics() {
        QFETCH(std::vector<RunEvent>, before);
        QFETCH(bool, isKept);
        WatchedRuns runs;
        QVERIFY(runs.isReady());
        for (const RunEvent& event : {RunEvent(RunStarted{}), RunEvent(learned("blocks.1")), RunEvent(step(0))})
            runs.observer->on_event(kJob, event);
        for (const RunEvent& event : before) runs.observer->on_event(kJob, event);
        for (const RunEvent& event : {RunEvent(RunStarted{}), RunEvent(learned("blocks.1")), RunEvent(step(1))})
            runs.observer->on_event(kJob, event);
        QTRY_VERIFY(!runs.numbers.points().empty() && runs.numbers.points().back().step == 1);
        QCOMPARE(runs.numbers.points().size(), std::size_t(isKept ? 2 : 1));
        QCOMPARE(runs.numbers.guardEvents().size(), std::size_t{1});  // the override is reported at each start
    }

    void stepsAreForgottenWhenARunRepeatsThem_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<QList<int>>("steps");
        QTest::newRow("its checkpoint was early") << 1 << QList<int>{0, 1};
        QTest::newRow("it starts over") << 0 << QList<int>{0};
        QTest::newRow("it goes on") << 3 << QList<int>{0, 1, 2, 3};
    }

    void stepsAreForgottenWhenARunRepeatsThem() {
        QFETCH(int, from);
        QFETCH(QList<int>, steps);
        WatchedRuns runs;
        QVERIFY(runs.isReady());
        runs.observer->on_event(kJob, RunStarted{});
        for (int i = 0; i < 3; ++i) runs.observer->on_event(kJob, step(i));
        QTRY_COMPARE(runs.numbers.points().size(), std::size_t{3});
        runs.observer->on_event(kJob, RunStarted{});
        runs.observer->on_event(kJob, step(from));
        const auto seen = [&runs] {
            QList<int> found;
            for (const StepPoint& point : runs.numbers.points()) found << point.step;
            return found;
        };
        QTRY_COMPARE(seen(), steps);
    }

    /// A run with a guard that only observes ends after its last step, not where the values became invalid.
    void anObservedRunIsNotSaidToStop_data() {
        QTest::addColumn<GuardMode>("guard");
        QTest::addColumn<QString>("title");
        QTest::newRow("observe") << GuardMode::observe << "Invalid values since step 1: block 3, attention keys";
        QTest::newRow("heal") << GuardMode::heal << "Stopped at step 1: invalid values in block 3, attention keys";
    }

    void anObservedRunIsNotSaidToStop() {
        QFETCH(GuardMode, guard);
        QFETCH(QString, title);
        WatchedRuns runs;
        QVERIFY(runs.isReady());
        RunStarted started;
        started.request.guard = guard;
        GuardActed found;
        found.site = "transformer.blocks.3.attn1.to_k";
        runs.observer->on_event(kJob, started);
        if (guard == GuardMode::observe) {
            found.action = GuardAction::observe;
            runs.observer->on_event(kJob, found);
        }
        found.action = GuardAction::stop;
        runs.observer->on_event(kJob, found);
        runs.observer->on_event(kJob, RunFailed{Error(ErrorCode::not_finite, "no")});
        QTRY_COMPARE(runs.numbers.line().title, title);
        QCOMPARE(runs.numbers.guardEvents().size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestNumbersModel)
#include "test_numbers_model.moc"
