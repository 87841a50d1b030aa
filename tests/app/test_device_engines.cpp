#include <QTest>
#include <atomic>

#include "tests/app/mortal_engine.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Two engines, although this computer may have no second device.
std::vector<remote::EngineSeat> two_seats(Engine&) {
    return {{.device = "cpu", .is_default = true}, {.device = "cpu", .is_default = true}};
}

}  // namespace

/// One queue and two engines in processes of their own.
class TestDeviceEngines : public QObject {
    Q_OBJECT

    std::vector<std::uint8_t> expected_;  ///< pixels of every video here
    std::unique_ptr<MortalEngine> engine_;

    JobQueue& jobs() { return (*engine_)->jobs(); }
    EventRecorder& recorder() { return engine_->recorder; }
    JobId submit(const char* name, int steps = kSteps) {
        VideoRequest request = engine_->request(name);
        request.device = "auto";
        request.num_inference_steps = steps;
        return jobs().submit(request);
    }
    /// Submits job 1, which keeps the first engine busy, and waits until it runs.
    void occupy_first_engine() {
        QCOMPARE(submit("long.mp4", 1000), JobId{1});
        QTRY_VERIFY_WITH_TIMEOUT(!of_type<StepCompleted>(recorder().wait(1, 0)).empty(), 60'000);
    }
    void cancel_long_job() {
        QVERIFY(of_type<RunFinished>(recorder().wait(1, 0)).empty());
        jobs().cancel(1);
        const auto events = recorder().wait(1);
        QCOMPARE(of_type<RunCancelled>(events).size(), std::size_t{1});
        QCOMPARE(of_type<RunStarted>(events).size(), std::size_t{1});
        QVERIFY(of_type<EngineEnded>(events).empty());
    }
    JobState state_of(JobId job) {
        const auto found = jobs().find(job);
        return found ? found->state : JobState::cancelled;
    }
    bool is_right(const char* name) { return engine_->pixels(engine_->request(name).output.file) == expected_; }
    std::vector<JobId> ids() {
        std::vector<JobId> ids;
        for (const Job& job : jobs().list()) ids.push_back(job.id);
        return ids;
    }

private Q_SLOTS:
    void initTestCase() {
        MortalEngine alone;
        const VideoRequest request = alone.request("alone.mp4");
        alone.recorder.wait(alone->jobs().submit(request));
        expected_ = alone.pixels(request.output.file);
        QVERIFY(!expected_.empty());
    }
    void init() { engine_ = std::make_unique<MortalEngine>(20, two_seats); }
    void cleanup() { engine_.reset(); }

    void the_free_engine_takes_the_next_job() {
        occupy_first_engine();
        std::vector<JobId> others;
        for (const char* name : {"b.mp4", "c.mp4", "d.mp4"}) others.push_back(submit(name));
        for (const JobId job : others) {
            const auto events = recorder().wait(job);
            QCOMPARE(of_type<RunStarted>(events).size(), std::size_t{1});
            QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
            QTRY_COMPARE(state_of(job), JobState::finished);
        }
        cancel_long_job();
        for (const char* name : {"b.mp4", "c.mp4", "d.mp4"}) QVERIFY2(is_right(name), name);
        QCOMPARE(ids(), (std::vector<JobId>{1, 2, 3, 4}));
        const auto is_over_everywhere = [this] {
            return std::ranges::all_of(of_type<QueueChanged>(recorder().wait(0, 0)).back().jobs,
                                       [](const Job& job) { return is_over(job.state); });
        };
        QTRY_VERIFY(is_over_everywhere());
    }

    void an_engine_that_ends_leaves_the_other_alone() {
        recorder().on_step = [kills = 1](JobId job, const StepCompleted& step) mutable {
            if (job == 2 && step.step == 3 && kills-- > 0) ::kill(newest_child(), SIGSEGV);
        };
        occupy_first_engine();
        submit("b.mp4");
        const auto events = recorder().wait(2);
        QCOMPARE(of_type<EngineEnded>(events).size(), std::size_t{1});
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QVERIFY(is_right("b.mp4"));
        cancel_long_job();
    }

    void orders_reach_the_engine_that_has_the_job() {
        recorder().on_step = [this](JobId job, const StepCompleted& step) {
            if (job == 2 && step.step == 3) jobs().pause(job, PausePoint::at_once);
        };
        occupy_first_engine();
        submit("b.mp4");
        QCOMPARE(of_type<RunPaused>(recorder().wait(2)).size(), std::size_t{1});
        QTRY_COMPARE(state_of(2), JobState::paused);
        jobs().resume(2);
        QCOMPARE(of_type<RunFinished>(recorder().wait(2, 2)).size(), std::size_t{1});
        QVERIFY(is_right("b.mp4"));
        cancel_long_job();
        jobs().remove(2);
        QTRY_COMPARE(ids(), std::vector<JobId>{1});
        QTRY_COMPARE(of_type<QueueChanged>(recorder().wait(0, 0)).back().jobs.size(), std::size_t{1});
        engine_->restart();
        QCOMPARE(ids(), std::vector<JobId>{1});
    }

    void a_held_queue_starts_after_a_restart_when_it_is_released() {
        jobs().hold();
        for (const char* name : {"a.mp4", "b.mp4", "c.mp4"}) submit(name);
        jobs().move(3, 0);
        jobs().cancel(2);
        QCOMPARE(ids(), (std::vector<JobId>{3, 1, 2}));
        engine_->restart();
        QCOMPARE(ids(), (std::vector<JobId>{3, 1, 2}));
        QCOMPARE(state_of(3), JobState::waiting);
        jobs().release();
        for (const JobId job : {1, 3}) QCOMPARE(of_type<RunFinished>(recorder().wait(job)).size(), std::size_t{1});
        QCOMPARE(state_of(2), JobState::cancelled);
        QVERIFY(is_right("c.mp4"));
    }

    void jobs_of_an_engine_that_cannot_start_are_listed_and_deleted() {
        occupy_first_engine();
        submit("b.mp4");
        QCOMPARE(of_type<RunFinished>(recorder().wait(2)).size(), std::size_t{1});
        engine_->remove_program();
        ::kill(newest_child(), SIGKILL);
        QTRY_COMPARE(of_type<EngineEnded>(recorder().wait(0, 0)).size(), std::size_t{1});
        QCOMPARE(ids(), (std::vector<JobId>{1, 2}));
        QCOMPARE(state_of(2), JobState::finished);
        jobs().remove(2);
        QTRY_COMPARE(ids(), std::vector<JobId>{1});
        cancel_long_job();
    }

    /// The second engine has locked the job when the new process reads the queue.
    void a_job_that_the_new_first_engine_does_not_list_goes_on() {
        recorder().on_step = [this](JobId job, const StepCompleted& step) {
            if (job == 2 && step.step == 3) jobs().pause(job, PausePoint::at_once);
        };
        const pid_t first = newest_child();
        occupy_first_engine();
        submit("b.mp4");
        QCOMPARE(of_type<RunPaused>(recorder().wait(2)).size(), std::size_t{1});
        const pid_t second = newest_child();
        ::kill(first, SIGKILL);
        QTRY_COMPARE(of_type<EngineEnded>(recorder().wait(1, 0)).size(), std::size_t{1});
        engine_->remove_program();
        ::kill(second, SIGKILL);
        QTRY_COMPARE(of_type<EngineEnded>(recorder().wait(0, 0)).size(), std::size_t{1});
        jobs().resume(2);
        QCOMPARE(ids(), (std::vector<JobId>{1, 2}));
        jobs().cancel(1);
        QCOMPARE(of_type<RunFinished>(recorder().wait(2, 2)).size(), std::size_t{1});
        QVERIFY(is_right("b.mp4"));
    }

    void a_new_process_of_the_first_engine_is_asked_for_devices() {
        std::atomic<int> asked = 0;
        engine_ = std::make_unique<MortalEngine>(20, [&asked](Engine& first) {
            auto seats = two_seats(first);
            if (++asked == 1) seats.pop_back();
            return seats;
        });
        occupy_first_engine();
        submit("b.mp4");
        QTRY_COMPARE(asked.load(), 1);
        ::kill(newest_child(), SIGKILL);
        QCOMPARE(of_type<RunFinished>(recorder().wait(2)).size(), std::size_t{1});
        QCOMPARE(asked.load(), 2);
        jobs().cancel(1);
        QCOMPARE(of_type<RunCancelled>(recorder().wait(1)).size(), std::size_t{1});
    }

    /// The new process continues the job that the old one ended with.
    void a_first_engine_that_ends_goes_on() {
        recorder().on_step = [kills = 1](JobId job, const StepCompleted& step) mutable {
            if (job == 1 && step.step == 2 && kills-- > 0) ::kill(newest_child(), SIGKILL);
        };
        submit("a.mp4");
        const auto events = recorder().wait(1);
        QCOMPARE(of_type<EngineEnded>(events).size(), std::size_t{1});
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QVERIFY(is_right("a.mp4"));
    }
};

QTEST_GUILESS_MAIN(TestDeviceEngines)
#include "test_device_engines.moc"
