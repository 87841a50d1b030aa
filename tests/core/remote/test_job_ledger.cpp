#include <QTest>
#include <algorithm>

#include "core/remote/job_ledger.h"
#include "core/remote/remote_parts.h"
#include "tests/support/job_in.h"

using namespace kinescope;
using namespace kinescope::remote;
using kinescope::testing::job_in;

namespace {

Error cause() {
    return {ErrorCode::engine_lost, "the engine was ended by SIGSEGV"};
}

/// "2 run, 3 cancel"
QString in_words(const std::vector<JobOrder>& orders) {
    static const QStringList names{"run", "decode", "pause", "cancel", "remove"};
    QStringList words;
    for (const JobOrder& order : orders)
        words << QStringLiteral("%1 %2").arg(order.job).arg(names[static_cast<int>(order.intent)]);
    return words.join(", ");
}

/// A ledger whose engine runs job 1; jobs 2 and 3 wait.
JobLedger running_ledger() {
    JobLedger ledger;
    for (const JobId job : {1, 2, 3}) ledger.note(job, JobIntent::run);
    ledger.take(1, RunStarted{});
    ledger.take(1, StepCompleted{});
    return ledger;
}

/// Notes what a queue is told in a ledger.
class LedgerIntents final : public QueueIntents {
public:
    explicit LedgerIntents(JobLedger& ledger) : ledger_(ledger) {}
    std::optional<JobIntent> note(JobId job, JobIntent intent) override { return ledger_.note(job, intent); }
    void take_back(JobId job, JobIntent refused, std::optional<JobIntent> earlier) override {
        ledger_.take_back(job, refused, earlier);
    }
    void hold() override {}
    void release() override {}

private:
    JobLedger& ledger_;
};

Error lost_device() {
    return {ErrorCode::device_lost, "the GPU stopped working"};
}

std::vector<Job> interrupted_queue() {
    return {job_in(1, JobState::interrupted, 2), job_in(2, JobState::waiting), job_in(3, JobState::waiting),
            job_in(9, JobState::waiting)};
}

}  // namespace

class TestJobLedger : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_running_job_and_the_waiting_ones_go_on() {
        JobLedger ledger = running_ledger();
        const Recovery recovery = ledger.recover(interrupted_queue(), cause(), Suspect::job);
        QCOMPARE(recovery.job, JobId{1});
        QCOMPARE(recovery.after, AfterEngineEnd::goes_on);
        QCOMPARE(in_words(recovery.orders), QStringLiteral("1 run, 2 run, 3 run"));  // 9 is of an earlier process
        QVERIFY(recovery.last_events.empty());
    }

    void a_released_queue_starts_all_waiting_jobs() {
        JobLedger ledger = running_ledger();
        ledger.release();
        QCOMPARE(in_words(ledger.recover(interrupted_queue(), cause(), Suspect::job).orders),
                 QStringLiteral("1 run, 2 run, 3 run, 9 run"));
    }

    void a_job_that_ends_two_engines_is_set_aside() {
        JobLedger ledger = running_ledger();
        ledger.recover(interrupted_queue(), cause(), Suspect::job);
        ledger.take(1, RunStarted{});
        const Recovery recovery = ledger.recover(interrupted_queue(), cause(), Suspect::job);
        QCOMPARE(recovery.after, AfterEngineEnd::set_aside);
        QCOMPARE(in_words(recovery.orders), QStringLiteral("2 run, 3 run"));
        QCOMPARE(recovery.last_events.size(), std::size_t{1});
        QCOMPARE(recovery.last_events[0].first, JobId{1});
        QCOMPARE(std::get<RunFailed>(recovery.last_events[0].second).error.code(), ErrorCode::engine_lost);
        ledger.note(1, JobIntent::run);  // the user continues it, and it has two engines again
        ledger.take(1, RunStarted{});
        QCOMPARE(ledger.recover(interrupted_queue(), cause(), Suspect::job).after, AfterEngineEnd::goes_on);
        ledger.take(1, RunStarted{});
        QCOMPARE(ledger.recover(interrupted_queue(), cause(), Suspect::job).after, AfterEngineEnd::set_aside);
    }

    void an_engine_that_dies_between_two_jobs_is_not_blamed_on_one() {
        JobLedger ledger;
        ledger.note(1, JobIntent::run);
        ledger.take(1, RunStarted{});
        ledger.take(1, RunFinished{});
        const Recovery recovery = ledger.recover({job_in(1, JobState::finished)}, cause(), Suspect::job);
        QCOMPARE(recovery.job, JobId{0});
        QCOMPARE(recovery.after, AfterEngineEnd::no_job);
    }

    void a_job_that_ends_its_engine_before_its_first_event_goes_on() {
        JobLedger ledger;
        ledger.take(0, QueueChanged{{job_in(4, JobState::waiting), job_in(5, JobState::running)}});
        const Recovery recovery =
            ledger.recover({job_in(4, JobState::waiting), job_in(5, JobState::interrupted)}, cause(), Suspect::job);
        QCOMPARE(recovery.job, JobId{5});
        QCOMPARE(recovery.after, AfterEngineEnd::goes_on);
        QCOMPARE(in_words(recovery.orders), QStringLiteral("5 run"));
    }

    void a_queue_that_is_older_than_the_end_of_a_job_does_not_revive_it() {
        JobLedger ledger = running_ledger();
        ledger.take(1, RunFinished{});
        ledger.take(0, QueueChanged{{job_in(1, JobState::running)}});
        const Recovery recovery = ledger.recover({job_in(1, JobState::finished)}, cause(), Suspect::job);
        QVERIFY(std::ranges::none_of(recovery.last_events, [](const auto& event) { return event.first == 1; }));
    }

    void an_interrupted_job_is_not_taken_for_the_running_one() {
        JobLedger ledger;
        for (const JobId job : {1, 2}) ledger.note(job, JobIntent::run);
        ledger.take(2, RunStarted{});
        const Recovery recovery =
            ledger.recover({job_in(1, JobState::interrupted), job_in(2, JobState::interrupted)}, cause(), Suspect::job);
        QCOMPARE(recovery.job, JobId{2});
        QCOMPARE(in_words(recovery.orders), QStringLiteral("1 run, 2 run"));
    }

    void last_events_that_were_lost_are_made_up_for_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("event");
        const auto row = [](JobState state, const RunEvent& event) {
            QTest::newRow(to_string(state).data()) << static_cast<int>(state) << static_cast<int>(event.index());
        };
        row(JobState::finished, RunFinished{});
        row(JobState::failed, RunFailed{cause()});
        row(JobState::cancelled, RunCancelled{});
        row(JobState::paused, RunPaused{});
    }

    void last_events_that_were_lost_are_made_up_for() {
        QFETCH(int, state);
        JobLedger ledger = running_ledger();
        const Recovery recovery = ledger.recover({job_in(1, static_cast<JobState>(state))}, cause(), Suspect::job);
        QCOMPARE(recovery.job, JobId{0});
        QVERIFY(recovery.orders.empty());
        QCOMPARE(recovery.last_events.at(0).first, JobId{1});
        QTEST(static_cast<int>(recovery.last_events.at(0).second.index()), "event");
    }

    void what_was_asked_of_the_running_job_is_kept() {
        JobLedger ledger = running_ledger();
        ledger.note(1, JobIntent::cancel);
        QCOMPARE(in_words(ledger.recover({job_in(1, JobState::interrupted)}, cause(), Suspect::job).orders),
                 QStringLiteral("1 cancel"));
        ledger = running_ledger();
        ledger.note(1, JobIntent::decode);
        QCOMPARE(in_words(ledger.recover({job_in(1, JobState::interrupted)}, cause(), Suspect::job).orders),
                 QStringLiteral("1 decode"));
        ledger = running_ledger();
        ledger.note(1, JobIntent::pause);
        const Recovery paused = ledger.recover({job_in(1, JobState::interrupted, 2)}, cause(), Suspect::job);
        QVERIFY(paused.orders.empty());
        QCOMPARE(std::get<RunPaused>(paused.last_events.at(0).second).step, 2);
    }

    void a_refused_call_leaves_the_earlier_intent_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("orders");
        QTest::newRow("refused") << static_cast<int>(ErrorCode::unsupported) << "1 run, 2 run, 3 run";
        QTest::newRow("the engine ended") << static_cast<int>(ErrorCode::engine_lost) << "1 run, 2 cancel, 3 run";
    }

    void a_refused_call_leaves_the_earlier_intent() {
        QFETCH(int, code);
        JobLedger ledger = running_ledger();
        LedgerIntents intents(ledger);
        const Caller caller = [code](const std::string&, const Json&, AfterLoss) -> Reply {
            throw Error(static_cast<ErrorCode>(code), "another program is working on it");
        };
        RemoteJobQueue queue(caller, intents);
        QVERIFY_EXCEPTION_THROWN(queue.cancel(2), Error);
        QVERIFY_EXCEPTION_THROWN(queue.pause(9, PausePoint::at_once), Error);
        const Recovery recovery = ledger.recover(
            {job_in(1, JobState::interrupted, 2), job_in(2, JobState::waiting), job_in(3, JobState::waiting)}, cause(),
            Suspect::job);
        QTEST(in_words(recovery.orders), "orders");
        QCOMPARE(recovery.last_events.empty(), code == static_cast<int>(ErrorCode::unsupported));
    }

    void a_job_is_not_blamed_for_a_question() {
        JobLedger ledger = running_ledger();
        for (int i = 0; i < 3; ++i) {
            const Recovery recovery = ledger.recover(interrupted_queue(), cause(), Suspect::question);
            QCOMPARE(recovery.job, JobId{1});
            QCOMPARE(recovery.after, AfterEngineEnd::goes_on);
            ledger.take(1, RunStarted{});
        }
        QCOMPARE(ledger.recover(interrupted_queue(), cause(), Suspect::job).after, AfterEngineEnd::goes_on);
    }

    void a_job_that_lost_the_device_goes_on_once() {
        JobLedger ledger = running_ledger();
        const std::vector<Job> queue{job_in(1, JobState::failed, 2), job_in(2, JobState::waiting)};
        QCOMPARE(ledger.take(1, RunFailed{lost_device()}), Delivery::never);
        const Recovery first = ledger.recover(queue, cause(), Suspect::job);
        QCOMPARE(first.after, AfterEngineEnd::goes_on);
        QCOMPARE(in_words(first.orders), QStringLiteral("1 run, 2 run"));
        QCOMPARE(first.last_events.size(), std::size_t{1});  // of job 3, which is gone
        ledger.take(1, RunStarted{});
        QCOMPARE(ledger.take(1, RunFailed{lost_device()}), Delivery::never);
        const Recovery second = ledger.recover(queue, cause(), Suspect::job);
        QCOMPARE(second.after, AfterEngineEnd::set_aside);
        QCOMPARE(in_words(second.orders), QStringLiteral("2 run"));
        QCOMPARE(std::get<RunFailed>(second.last_events.at(0).second).error.code(), ErrorCode::device_lost);
    }

    void a_cancelled_job_that_lost_the_device_is_over() {
        JobLedger ledger = running_ledger();
        ledger.note(1, JobIntent::cancel);
        ledger.take(1, RunFailed{lost_device()});
        const Recovery recovery = ledger.recover({job_in(1, JobState::failed, 2)}, cause(), Suspect::job);
        QCOMPARE(recovery.job, JobId{0});
        QVERIFY(recovery.orders.empty());
        QCOMPARE(std::get<RunFailed>(recovery.last_events.at(0).second).error.code(), ErrorCode::device_lost);
    }

    void a_job_that_ended_before_the_last_list_has_ended() {
        JobLedger ledger = running_ledger();
        ledger.take(0, QueueChanged{{job_in(1, JobState::running)}});
        ledger.take(1, RunFinished{{.output = "/out/a.mp4"}});
        QCOMPARE(ledger.stop(cause()).job, JobId{0});
        QCOMPARE(ledger.jobs().at(0).state, JobState::finished);
        QCOMPARE(ledger.jobs().at(0).output, std::filesystem::path("/out/a.mp4"));
    }

    void without_a_new_engine_the_running_job_is_set_aside() {
        JobLedger ledger = running_ledger();
        ledger.take(0, QueueChanged{{job_in(1, JobState::running), job_in(2, JobState::waiting)}});
        ledger.take(1, StepCompleted{.step = 4, .num_steps = 8});
        const Recovery recovery = ledger.stop(cause());
        QCOMPARE(recovery.job, JobId{1});
        QCOMPARE(recovery.after, AfterEngineEnd::set_aside);
        QCOMPARE(std::get<RunFailed>(recovery.last_events.at(0).second).error.code(), ErrorCode::engine_lost);
        QCOMPARE(ledger.jobs().at(0).state, JobState::interrupted);
        QCOMPARE(ledger.jobs().at(0).step, 5);
        // An engine that can be started later lets the waiting jobs run.
        const Recovery later = ledger.recover(
            {job_in(1, JobState::interrupted), job_in(2, JobState::waiting), job_in(3, JobState::waiting)}, cause(),
            Suspect::nobody);
        QCOMPARE(later.job, JobId{0});
        QCOMPARE(in_words(later.orders), QStringLiteral("2 run, 3 run"));
    }

    void the_last_place_is_known() {
        JobLedger ledger;
        QVERIFY(ledger.last_place().empty());
        ledger.take(3, PhaseStarted{Phase::denoise, 8});
        QCOMPARE(ledger.last_place(), std::string("job 3 began the phase denoise"));
        ledger.take(3, StepCompleted{.step = 1, .num_steps = 8});
        ledger.take(3, PhaseProgress{});
        QCOMPARE(ledger.last_place(), std::string("job 3 finished step 2 of 8"));
    }

    /// Such a job may run in the engine of another GPU later, and is then missing in the queue of this one.
    void a_job_that_has_stopped_does_not_fail_with_its_engine_data() {
        QTest::addColumn<JobState>("state");
        QTest::addColumn<int>("intent");
        QTest::addColumn<bool>("fails");
        const auto row = [](const char* name, JobState state, JobIntent intent, bool fails) {
            QTest::newRow(name) << state << static_cast<int>(intent) << fails;
        };
        row("cancel of a failed job", JobState::failed, JobIntent::cancel, false);
        row("pause of a finished job", JobState::finished, JobIntent::pause, false);
        row("pause of a paused job", JobState::paused, JobIntent::pause, false);
        row("cancel of a paused job", JobState::paused, JobIntent::cancel, true);
        row("pause of a waiting job", JobState::waiting, JobIntent::pause, true);
        row("a failed job that goes on", JobState::failed, JobIntent::run, true);
    }
    void a_job_that_has_stopped_does_not_fail_with_its_engine() {
        QFETCH(JobState, state);
        QFETCH(int, intent);
        JobLedger ledger;
        ledger.take(0, QueueChanged{{job_in(5, state)}});
        ledger.note(5, static_cast<JobIntent>(intent));
        QTEST(!ledger.recover({}, cause(), Suspect::job).last_events.empty(), "fails");
    }

    void a_job_that_goes_on_again_can_be_paused_before_the_next_list() {
        JobLedger ledger;
        ledger.take(0, QueueChanged{{job_in(5, JobState::failed)}});
        ledger.note(5, JobIntent::run);
        ledger.note(5, JobIntent::pause);
        QCOMPARE(in_words(ledger.recover({job_in(5, JobState::waiting)}, cause(), Suspect::job).orders),
                 QStringLiteral("5 pause"));
    }

    void a_job_that_was_not_saved_is_lost() {
        JobLedger ledger = running_ledger();
        const Recovery recovery = ledger.recover({job_in(2, JobState::waiting)}, cause(), Suspect::job);
        QCOMPARE(recovery.job, JobId{1});
        QCOMPARE(recovery.after, AfterEngineEnd::lost);
        QCOMPARE(in_words(recovery.orders), QStringLiteral("2 run"));
        QCOMPARE(recovery.last_events.size(), std::size_t{2});  // of jobs 1 and 3
    }
};

QTEST_GUILESS_MAIN(TestJobLedger)
#include "test_job_ledger.moc"
