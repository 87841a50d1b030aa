#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "core/api/killed_reader.h"
#include "core/jobs/queue/local_job_queue.h"
#include "tests/core/jobs/event_recorder.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLimit{20};

/// Simulated runs, selected by the prompt: "endless" completes one step and runs until it is stopped, "failing" throws,
/// "lost" throws as if the GPU had failed, "stopped with its reader" waits until it is stopped and throws as if the
/// process that reads a file was killed, "unreadable" completes one step, whose files then cannot be read, and fails,
/// and "unsaved" completes one step, which stays in memory, and fails or, at its first run, is paused.
class FakeRuns {
public:
    RunResult make(const RunningJob& job, const EventSink& emit) {
        {
            const std::lock_guard lock(mutex_);
            order_.push_back(job.id);
        }
        if (job.request.prompt == "lost") throw Error(ErrorCode::device_lost, "an illegal memory access");
        if (job.request.prompt == "failing") throw Error(ErrorCode::not_finite, "NaN at step 1");
        if (job.request.prompt == "stopped with its reader") {
            while (!job.flags.stop.is_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            throw Error(ErrorCode::file_unreadable, "the reader was killed", "", {{"cause", kReaderKilled}});
        }
        if (job.request.prompt.starts_with("unsaved")) make_unsaved_step(job, emit);
        emit(StepCompleted{.step = 0, .num_steps = 2});
        if (job.request.prompt == "unreadable") lose_sight_of_step(job);
        while (job.request.prompt == "endless" && !endless_end_) {
            if (job.flags.stop.is_requested() || job.flags.wants_pause()) throw_end(job);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return {.output = job.request.output.file, .status = RunStatus::completed};
    }
    /// Makes "endless" jobs end successfully.
    void end_endless() { endless_end_ = true; }
    std::vector<JobId> order() {
        const std::lock_guard lock(mutex_);
        return order_;
    }

private:
    [[noreturn]] static void make_unsaved_step(const RunningJob& job, const EventSink& emit) {
        const int step = job.unsaved->step(0);
        emit(StepCompleted{.step = step, .num_steps = 9});
        MemoryCheckpointStore& memory = job.unsaved->checkpoints[0];
        if (step == 0) memory.save_conditioning({}, {});
        memory.save_step({.step = step + 1});
        const Error full(ErrorCode::disk_full, "the disk is full");
        if (job.request.prompt == "unsaved, paused") throw Paused{.step = step + 1, .save_error = full};
        throw full;
    }
    /// Files that name themselves stand for storage that does not answer.
    [[noreturn]] static void lose_sight_of_step(const RunningJob& job) {
        for (const char* name : {"conditioning.safetensors", "step.safetensors"})
            fs::create_symlink(name, job.folder / name);
        throw Error(ErrorCode::output_not_writable, "the storage does not answer");
    }
    [[noreturn]] static void throw_end(const RunningJob& job) {
        if (job.flags.wants_pause()) throw Paused{.step = 1};
        throw Cancelled{};
    }

    std::mutex mutex_;
    std::vector<JobId> order_;
    std::atomic<bool> endless_end_ = false;
};

/// Forwards events to a function.
class Observer final : public RunObserver {
public:
    void on_event(JobId job, const RunEvent& event) override { handle(job, event); }
    std::function<void(JobId, const RunEvent&)> handle = [](JobId, const RunEvent&) {};
};

VideoRequest request(const char* prompt) {
    VideoRequest request;
    request.prompt = prompt;
    return request;
}

/// A queue with its worker. The destructor stops the worker before the observer and the runs are destroyed.
struct Fixture {
    explicit Fixture(RunObserver& observer, FakeRuns& runs, fs::path jobs_dir = {})
        : queue({.worker = worker,
                 .observer = observer,
                 .make_video = [&runs](const RunningJob& job, const EventSink& emit) { return runs.make(job, emit); },
                 .jobs_dir = std::move(jobs_dir)}) {}
    ~Fixture() {
        queue.close();
        worker.stop();
    }

    Worker worker;
    LocalJobQueue queue;
};

}  // namespace

/// Tests only the queue, with simulated runs.
class TestLocalJobQueue : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<EventRecorder> events_;
    std::unique_ptr<FakeRuns> runs_;
    std::unique_ptr<Fixture> fixture_;

    LocalJobQueue& queue() { return fixture_->queue; }
    fs::path jobs_dir() const { return folder_->filePath("jobs").toStdString(); }
    JobState state(JobId job) { return queue().find(job)->state; }
    JobId submit_running() {
        const JobId job = queue().submit(request("endless"));
        (void)QTest::qWaitFor([&] { return state(job) == JobState::running && queue().find(job)->step == 1; });
        return job;
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        events_ = std::make_unique<EventRecorder>();
        runs_ = std::make_unique<FakeRuns>();
        fixture_ = std::make_unique<Fixture>(*events_, *runs_);
    }
    void cleanup() { fixture_.reset(); }

    void jobs_run_in_the_order_of_the_list() {
        queue().hold();
        std::vector<JobId> jobs;
        for (int i = 0; i < 4; ++i) jobs.push_back(queue().submit(request("short")));
        queue().move(jobs[3], 0);
        queue().move(jobs[0], 99);
        queue().release();
        for (const JobId job : jobs) events_->wait(job);
        QCOMPARE(runs_->order(), (std::vector<JobId>{jobs[3], jobs[1], jobs[2], jobs[0]}));
    }

    void a_held_queue_starts_nothing() {
        queue().hold();
        const JobId job = queue().submit(request("short"));
        fixture_->worker.call([] {});  // wait for all earlier calls
        QCOMPARE(state(job), JobState::waiting);
        QVERIFY(runs_->order().empty());
    }

    void a_running_job_refuses_other_work() {
        submit_running();
        QVERIFY(!fixture_->worker.call_if_idle([] { return 1; }));
        runs_->end_endless();
    }

    void a_worker_that_has_stopped_drops_tasks() {
        fixture_->worker.stop();
        QVERIFY_THROWS_EXCEPTION(std::future_error, fixture_->worker.call([] { return 1; }));
    }

    void a_finished_job_does_not_refuse_other_work() {
        Observer observer;
        std::promise<void> finished;
        observer.handle = [&](JobId, const RunEvent& event) {
            if (!std::holds_alternative<RunFinished>(event)) return;
            finished.set_value();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the search for the next job takes longer
        };
        Fixture fixture(observer, *runs_);
        fixture.queue.submit(request("short"));
        finished.get_future().wait();
        QCOMPARE(fixture.worker.call_if_idle([] { return 1; }), std::optional(1));
    }

    void no_job_starts_after_the_device_is_lost() {
        queue().hold();
        const JobId lost = queue().submit(request("lost"));
        const JobId waiting = queue().submit(request("short"));
        queue().release();
        QCOMPARE(of_type<RunFailed>(events_->wait(lost)).at(0).error.code(), ErrorCode::device_lost);
        const auto events = events_->wait(waiting);
        QCOMPARE(of_type<RunPaused>(events).size(), std::size_t{1});
        QVERIFY(of_type<LogLine>(events).at(0).text.find("restart Kinescope") != std::string::npos);
        QCOMPARE(state(waiting), JobState::paused);

        queue().resume(waiting);
        QCOMPARE(of_type<RunPaused>(events_->wait(waiting, 2)).size(), std::size_t{2});
        QCOMPARE(state(waiting), JobState::paused);
        QCOMPARE(runs_->order(), std::vector<JobId>{lost});
    }

    void a_running_job_is_paused_and_resumed_data() {
        QTest::addColumn<PausePoint>("point");
        QTest::newRow("after the step") << PausePoint::after_step;
        QTest::newRow("at once") << PausePoint::at_once;
    }
    void a_running_job_is_paused_and_resumed() {
        QFETCH(PausePoint, point);
        const JobId job = submit_running();
        queue().pause(job, point);
        QCOMPARE(of_type<RunPaused>(events_->wait(job)).at(0).step, 1);
        QCOMPARE(state(job), JobState::paused);
        runs_->end_endless();
        queue().resume(job);
        QCOMPARE(of_type<RunFinished>(events_->wait(job, 2)).size(), std::size_t{1});
        QCOMPARE(state(job), JobState::finished);
        QCOMPARE(runs_->order(), (std::vector<JobId>{job, job}));
    }

    /// Who stops the program may kill all of its processes.
    void a_job_whose_reader_is_killed_while_it_stops_is_paused() {
        const JobId job = queue().submit(request("stopped with its reader"));
        QTRY_COMPARE(state(job), JobState::running);
        queue().pause(job, PausePoint::at_once);
        QCOMPARE(of_type<RunPaused>(events_->wait(job)).size(), std::size_t{1});
        QCOMPARE(state(job), JobState::paused);
    }

    void a_paused_waiting_job_is_skipped() {
        queue().hold();
        const JobId paused = queue().submit(request("short"));
        const JobId other = queue().submit(request("short"));
        queue().pause(paused, PausePoint::after_step);
        QCOMPARE(of_type<RunPaused>(events_->wait(paused)).size(), std::size_t{1});
        queue().release();
        events_->wait(other);
        QCOMPARE(runs_->order(), std::vector<JobId>{other});
        QCOMPARE(state(paused), JobState::paused);
    }

    void a_failed_job_does_not_stop_others_and_can_be_retried() {
        queue().hold();
        const JobId failing = queue().submit(request("failing"));
        const JobId other = queue().submit(request("short"));
        queue().release();
        events_->wait(other);
        QCOMPARE(of_type<RunFailed>(events_->wait(failing)).at(0).error.code(), ErrorCode::not_finite);
        QCOMPARE(state(failing), JobState::failed);
        QCOMPARE(queue().find(failing)->error->code(), ErrorCode::not_finite);
        queue().hold();
        queue().retry(failing);
        QCOMPARE(state(failing), JobState::waiting);
        QVERIFY(!queue().find(failing)->error);
        queue().edit(failing, request("short"));
        queue().release();
        QCOMPARE(of_type<RunFinished>(events_->wait(failing, 2)).size(), std::size_t{1});
    }

    void a_running_job_is_removed_at_its_end() {
        const JobId job = submit_running();
        queue().remove(job);
        QCOMPARE(of_type<RunCancelled>(events_->wait(job)).size(), std::size_t{1});
        QVERIFY(!queue().find(job));
        QVERIFY(queue().list().empty());
    }

    void a_removed_waiting_job_never_runs() {
        queue().hold();
        const JobId removed = queue().submit(request("short"));
        const JobId other = queue().submit(request("short"));
        queue().remove(removed);
        queue().release();
        events_->wait(other);
        QCOMPARE(runs_->order(), std::vector<JobId>{other});
    }

    void cancelled_jobs_stay_in_the_list() {
        const JobId running = submit_running();
        const JobId waiting = queue().submit(request("short"));
        queue().cancel(waiting);
        QCOMPARE(of_type<RunCancelled>(events_->wait(waiting)).size(), std::size_t{1});
        queue().cancel(running);
        QCOMPARE(of_type<RunCancelled>(events_->wait(running)).at(0).step, 1);
        QCOMPARE(state(waiting), JobState::cancelled);
        QCOMPARE(state(running), JobState::cancelled);
        QCOMPARE(runs_->order(), std::vector<JobId>{running});
    }

    void calls_that_do_not_fit_the_state_are_refused() {
        const JobId job = submit_running();
        QVERIFY_THROWS_EXCEPTION(Error, queue().edit(job, request("short")));
        QVERIFY_THROWS_EXCEPTION(Error, queue().retry(job));
        QVERIFY_THROWS_EXCEPTION(Error, queue().retry(job + 1));
        queue().hold();
        const JobId waiting = queue().submit(request("short"));
        QVERIFY_THROWS_EXCEPTION(Error, queue().decode_now(waiting));
        queue().pause(job + 7, PausePoint::at_once);  // unknown jobs are ignored
        queue().cancel(job + 7);
        queue().remove(job + 7);
        queue().resume(job + 7);
    }

    void close_pauses_a_saved_job_and_does_not_start_another() {
        fixture_ = std::make_unique<Fixture>(*events_, *runs_, jobs_dir());
        const JobId running = submit_running();
        const JobId waiting = queue().submit(request("short"));
        fixture_.reset();
        QCOMPARE(of_type<RunPaused>(events_->wait(running)).size(), std::size_t{1});
        fixture_ = std::make_unique<Fixture>(*events_, *runs_, jobs_dir());
        QCOMPARE(state(running), JobState::paused);
        QCOMPARE(state(waiting), JobState::waiting);
        fixture_->worker.call([] {});
        QCOMPARE(runs_->order(), std::vector<JobId>{running});
    }

    void close_pauses_a_job_that_has_just_started() {
        Observer observer;
        fixture_ = std::make_unique<Fixture>(observer, *runs_, jobs_dir());
        std::optional<RunPaused> paused;
        observer.handle = [&](JobId, const RunEvent& event) {
            const auto* changed = std::get_if<QueueChanged>(&event);
            if (changed != nullptr && changed->jobs.at(0).state == JobState::running) queue().close();
            if (const auto* end = std::get_if<RunPaused>(&event)) paused = *end;
        };
        const JobId job = queue().submit(request("short"));
        fixture_->worker.call([] {});
        QVERIFY(paused);
        QCOMPARE(state(job), JobState::paused);
        QVERIFY(runs_->order().empty());
    }

    void a_failed_job_continues_after_its_steps_in_memory() {
        fixture_ = std::make_unique<Fixture>(*events_, *runs_, jobs_dir());
        const JobId job = queue().submit(request("unsaved"));
        for (int step = 1; step <= 2; ++step) {
            events_->wait(job, step);
            (void)QTest::qWaitFor([&] { return state(job) == JobState::failed; });
            QCOMPARE(queue().find(job)->step, step);
            QCOMPARE(queue().find(job)->error->argument("saved_steps"), std::string("0"));
            QVERIFY(!queue().find(job)->error->arguments().contains("saved_job"));
            queue().resume(job);
        }
    }

    void a_failed_job_that_is_not_on_disk_says_so() {
        const JobId job = queue().submit(request("unsaved"));
        events_->wait(job);
        QCOMPARE(state(job), JobState::failed);
        QCOMPARE(queue().find(job)->step, 1);
        QCOMPARE(queue().find(job)->error->argument("saved_job"), std::string("no"));
    }

    /// `generate` deletes a failed job that has no steps.
    void a_failed_job_whose_steps_cannot_be_counted_now_keeps_their_number() {
        fixture_ = std::make_unique<Fixture>(*events_, *runs_, jobs_dir());
        const JobId job = queue().submit(request("unreadable"));
        events_->wait(job);
        QCOMPARE(state(job), JobState::failed);
        QCOMPARE(queue().find(job)->step, 1);
    }

    void a_second_pause_names_what_is_not_saved() {
        Observer observer;
        fixture_ = std::make_unique<Fixture>(observer, *runs_, jobs_dir());
        const JobId job = queue().submit(request("unsaved, paused"));
        fixture_->worker.call([] {});
        QCOMPARE(state(job), JobState::paused);
        QVERIFY(queue().find(job)->error);
        observer.handle = [&](JobId, const RunEvent& event) {
            const auto* changed = std::get_if<QueueChanged>(&event);
            if (changed != nullptr && changed->jobs.at(0).state == JobState::running)
                queue().pause(job, PausePoint::at_once);
        };
        queue().resume(job);
        fixture_->worker.call([] {});
        QCOMPARE(state(job), JobState::paused);
        QCOMPARE(runs_->order().size(), std::size_t{1});
        QVERIFY(queue().find(job)->error);
        QCOMPARE(queue().find(job)->error->code(), ErrorCode::disk_full);
        QCOMPARE(queue().find(job)->step, 1);
    }

    void close_cancels_a_job_that_is_not_saved() {
        const JobId job = submit_running();
        fixture_.reset();
        QCOMPARE(of_type<RunCancelled>(events_->wait(job)).size(), std::size_t{1});
    }

    /// The interface guarantees that no lock is held during calls of the observer.
    void an_observer_may_wait_for_another_thread_that_calls_the_queue() {
        Observer observer;
        {
            Fixture fixture(observer, *runs_);
            fixture.queue.hold();
            const JobId job = fixture.queue.submit(request("short"));
            std::promise<void> called;
            auto has_called = called.get_future();
            std::thread other;
            bool has_returned = false;
            observer.handle = [&](JobId, const RunEvent& event) {
                if (!std::holds_alternative<QueueChanged>(event) || other.joinable()) return;
                other = std::thread([&] {
                    fixture.queue.move(job, 0);
                    fixture.queue.find(job);
                    called.set_value();
                });
                has_returned = has_called.wait_for(kLimit) == std::future_status::ready;
            };
            fixture.queue.pause(job, PausePoint::after_step);
            other.join();
            QVERIFY2(has_returned, "the call waited until the observer had returned");
            observer.handle = [](JobId, const RunEvent&) {};
        }
    }

    void the_newest_queue_is_reported_last() {
        constexpr std::size_t kThreads = 4, kJobs = 25;
        Observer observer;
        std::mutex mutex;
        std::size_t reported = 0;
        int inside = 0;
        bool overlapped = false;
        observer.handle = [&](JobId, const RunEvent& event) {
            const auto* changed = std::get_if<QueueChanged>(&event);
            if (changed == nullptr) return;
            const std::lock_guard lock(mutex);
            overlapped = overlapped || ++inside > 1;
            reported = changed->jobs.size();
            --inside;
        };
        Fixture fixture(observer, *runs_);
        fixture.queue.hold();
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < kThreads; ++i)
            threads.emplace_back([&] {
                for (std::size_t k = 0; k < kJobs; ++k) fixture.queue.submit(request("short"));
            });
        for (std::thread& thread : threads) thread.join();
        QCOMPARE(reported, kThreads * kJobs);
        QVERIFY(!overlapped);
    }
};

QTEST_GUILESS_MAIN(TestLocalJobQueue)
#include "test_local_job_queue.moc"
