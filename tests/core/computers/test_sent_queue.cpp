#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "core/computers/sent_queue.h"
#include "core/remote/engine_end.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::computers;
using namespace kinescope::testing;

namespace {

constexpr JobId kThere = 7;

/// A request of another program, as the computer there knows it.
VideoRequest request_of_another() {
    VideoRequest request;
    request.output.file = "/there/results/" + std::string(32, 'a') + "/video.mp4";
    return request;
}

/// Replaces the only place of `from` in a file.
bool replace_in(const std::filesystem::path& file, const std::string& from, const std::string& to) {
    std::string text = contents_of(file);
    const std::size_t place = text.find(from);
    if (place == std::string::npos || text.find(from, place + 1) != std::string::npos) return false;
    std::ofstream(file) << text.replace(place, from.size(), to);
    return true;
}

RunStarted started_with(const VideoRequest& request) {
    RunStarted started;
    started.request = request;
    return started;
}

SentQueue::Setup setup_with(const std::filesystem::path& ledger, RunObserver& observer) {
    return {.computer = "studio", .ledger = ledger, .observer = observer, .on_work = [] {}};
}

/// A queue with one job that has been sent, and that job on the other computer.
class SentOne {
public:
    SentOne() { here = send(); }
    /// Sends a job, which runs with the id kThere.
    JobId send() {
        VideoRequest request;
        request.output.file = folder_.filePath("a.mp4").toStdString();
        const JobId job = queue.submit(request);
        token = queue.open_jobs().at(0).token;
        queue.begin_sending(token);
        there.id = kThere;
        there.state = JobState::running;
        there.request.output.file = "/there/results/" + token + "/video.mp4";
        queue.note_sent(token, there);
        return job;
    }
    JobState state() { return queue.find(here).value().state; }
    /// The other computer is told the order.
    void tell_order() {
        for (const SentJob& sent : queue.open_jobs())
            if (sent.token == token) queue.note_order_given(sent);
    }
    /// The device is lost there, the engine ends, and the connection comes back.
    void lose_device() {
        const Error error(ErrorCode::device_lost, "cuda:0 stopped working");
        there.state = JobState::failed;
        there.error = error;
        queue.take(kThere, RunFailed{error});
    }
    std::vector<Error> failures() {
        std::vector<Error> errors;
        for (const RunFailed& failed : of_type<RunFailed>(recorder.wait(here))) errors.push_back(failed.error);
        return errors;
    }

    std::filesystem::path ledger() const { return folder_.filePath("ledger.json").toStdString(); }
    SentQueue::Setup setup() { return setup_with(ledger(), recorder); }

    EventRecorder recorder;

private:
    QTemporaryDir folder_;

public:
    SentQueue queue{setup()};
    JobId here = 0;
    std::string token;
    Job there;
};

/// Notes the ends of jobs. The first one takes long.
class SlowObserver final : public RunObserver {
public:
    void on_event(JobId job, const RunEvent& event) override {
        if (!std::holds_alternative<RunCancelled>(event)) return;
        if (is_first_.exchange(false)) during_first();
        const std::lock_guard lock(mutex_);
        ended_.push_back(job);
    }
    std::vector<JobId> ended() {
        const std::lock_guard lock(mutex_);
        return ended_;
    }

    std::function<void()> during_first;

private:
    std::atomic<bool> is_first_ = true;
    std::mutex mutex_;
    std::vector<JobId> ended_;
};

/// Cannot take the first end of a job.
class FullObserver final : public RunObserver {
public:
    void on_event(JobId job, const RunEvent& event) override {
        if (const auto* changed = std::get_if<QueueChanged>(&event)) newest = changed->jobs;
        if (!std::holds_alternative<RunCancelled>(event)) return;
        ended.push_back(job);
        if (ended.size() > 1) return;
        during_first();
        throw std::bad_alloc();
    }

    std::function<void()> during_first;
    std::vector<JobId> ended;
    std::vector<Job> newest;
};

}  // namespace

class TestSentQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_job_goes_on_after_its_device_was_lost_once() {
        SentOne sent;
        sent.lose_device();
        QCOMPARE(sent.state(), JobState::running);  // the connection ends next
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.state(), JobState::waiting);
        QCOMPARE(sent.queue.open_jobs().at(0).order, Order::resume);
        sent.tell_order();
        sent.there.state = JobState::running;
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.state(), JobState::running);
        sent.lose_device();
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.state(), JobState::failed);
        QCOMPARE(sent.failures().size(), std::size_t{1});
        QCOMPARE(sent.failures().at(0).code(), ErrorCode::device_lost);
    }

    void a_job_that_ends_two_engines_is_set_aside_with_their_last_messages() {
        SentOne sent;
        sent.there.state = JobState::interrupted;
        sent.queue.reconcile({sent.there}, {"the engine was ended by SIGSEGV"});
        QCOMPARE(sent.state(), JobState::waiting);
        sent.queue.reconcile({sent.there});  // the connection was lost before the order arrived: the same end
        QCOMPARE(sent.queue.open_jobs().at(0).order, Order::resume);
        sent.tell_order();
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.state(), JobState::interrupted);
        QVERIFY(sent.queue.open_jobs().empty());
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.failures().size(), std::size_t{1});
        QCOMPARE(sent.failures().at(0).arguments().at("computer"), std::string("studio"));
        const auto ends = of_type<EngineEnded>(sent.recorder.wait(sent.here));
        QCOMPARE(ends.size(), std::size_t{2});
        QCOMPARE(ends[0].job, AfterEngineEnd::goes_on);
        QCOMPARE(ends[0].cause.values.at("computer"), std::string("studio"));
        QCOMPARE(ends[0].last_lines, std::vector<std::string>{"the engine was ended by SIGSEGV"});
        QCOMPARE(ends[1].job, AfterEngineEnd::set_aside);
        sent.queue.resume(sent.here);
        sent.tell_order();
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.state(), JobState::waiting);  // after the user continued it, it has two engines again
    }

    /// An engine that starts again with an empty queue counts its jobs from 1.
    void an_id_that_is_used_again_there_belongs_to_the_new_job() {
        SentOne sent;
        sent.queue.take(kThere, RunFinished{});
        sent.queue.note_fetched(sent.token, RunFinished{});
        sent.queue.note_done(sent.token);
        const JobId second = sent.send();
        RunStarted started = started_with(sent.there.request);
        started.request.prompt = "another prompt";
        sent.queue.take(kThere, started);
        QCOMPARE(sent.state(), JobState::finished);
        QCOMPARE(sent.queue.find(sent.here)->request.prompt, std::string());
        QCOMPARE(sent.queue.find(second)->request.prompt, std::string("another prompt"));
        sent.queue.take(kThere, RunFinished{});
        QVERIFY(sent.queue.open_jobs().at(0).stage == Stage::fetching);
    }

    /// A new connection begins with the runs there, which may be those of another program.
    void a_run_belongs_to_the_job_of_its_token() {
        SentOne sent;
        sent.queue.take(kThere, RunPaused{});
        sent.queue.take(kThere, started_with(request_of_another()));
        StepCompleted step;
        step.step = 4;
        sent.queue.take(kThere, step);
        sent.queue.take(kThere, RunFinished{});
        QCOMPARE(sent.state(), JobState::paused);
        QCOMPARE(sent.queue.find(sent.here)->step, 0);
        sent.queue.take(kThere + 1, started_with(sent.there.request));
        QCOMPARE(sent.state(), JobState::running);
        sent.queue.take(kThere + 1, RunFailed{Error(ErrorCode::internal, "a failure")});
        QCOMPARE(sent.state(), JobState::failed);
    }

    /// A list is made before it is sent, so it may arrive after an event that is newer. So may an answer.
    void a_late_list_does_not_revive_a_job_data() {
        QTest::addColumn<std::shared_ptr<RunEvent>>("last_event");
        QTest::addColumn<JobState>("state");
        const auto row = [](const char* name, RunEvent event, JobState state) {
            QTest::newRow(name) << std::make_shared<RunEvent>(std::move(event)) << state;
        };
        row("paused", RunPaused{}, JobState::paused);
        row("cancelled", RunCancelled{}, JobState::cancelled);
        row("failed", RunFailed{Error(ErrorCode::internal, "a failure")}, JobState::failed);
    }
    void a_late_list_does_not_revive_a_job() {
        QFETCH(std::shared_ptr<RunEvent>, last_event);
        QFETCH(JobState, state);
        SentOne sent;
        sent.queue.note_question();
        sent.queue.take(kThere, *last_event);
        sent.there.state = JobState::running;
        sent.queue.take(0, QueueChanged{{sent.there}});
        QCOMPARE(sent.state(), state);
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.state(), state);
        sent.queue.note_sent(sent.token, sent.there);
        QCOMPARE(sent.state(), state);
        sent.queue.take(kThere, started_with(sent.there.request));
        QCOMPARE(sent.state(), JobState::running);
    }

    void an_answer_from_before_a_start_does_not_let_a_job_wait() {
        SentOne sent;
        sent.queue.note_question();
        sent.queue.take(kThere, started_with(sent.there.request));
        sent.there.state = JobState::waiting;
        sent.queue.note_sent(sent.token, sent.there);
        QCOMPARE(sent.state(), JobState::running);
        QVERIFY(sent.queue.open_jobs().at(0).order == Order::none);
    }

    /// A pause that replaces "continue" before that was told finds a job that has stopped already.
    void a_job_that_is_paused_before_it_goes_on_does_not_wait_data() {
        QTest::addColumn<JobState>("there");
        QTest::addColumn<JobState>("state");
        QTest::newRow("paused") << JobState::paused << JobState::paused;
        QTest::newRow("failed") << JobState::failed << JobState::failed;
        QTest::newRow("running") << JobState::running << JobState::waiting;  // its events say what follows
    }
    void a_job_that_is_paused_before_it_goes_on_does_not_wait() {
        QFETCH(JobState, there);
        QFETCH(JobState, state);
        SentOne sent;
        sent.queue.take(kThere, RunPaused{});
        sent.queue.resume(sent.here);
        sent.queue.pause(sent.here, PausePoint::at_once);
        sent.tell_order();
        sent.there.state = there;
        sent.queue.note_paused(sent.token, sent.there);
        QCOMPARE(sent.state(), state);
        sent.queue.resume(sent.here);
        sent.queue.note_paused(sent.token, sent.there);  // too late
        QCOMPARE(sent.state(), JobState::waiting);
    }

    void an_answer_and_an_event_stop_a_job_once_data() {
        QTest::addColumn<std::shared_ptr<RunEvent>>("last_event");
        QTest::addColumn<JobState>("state");
        const Error error(ErrorCode::disk_full, "the disk is full");
        QTest::newRow("paused") << std::make_shared<RunEvent>(RunPaused{}) << JobState::paused;
        QTest::newRow("failed") << std::make_shared<RunEvent>(RunFailed{error}) << JobState::failed;
    }
    void an_answer_and_an_event_stop_a_job_once() {
        QFETCH(std::shared_ptr<RunEvent>, last_event);
        QFETCH(JobState, state);
        SentOne sent;
        sent.queue.pause(sent.here, PausePoint::at_once);
        sent.tell_order();
        sent.there.state = state;
        sent.queue.note_paused(sent.token, sent.there);
        sent.queue.take(kThere, *last_event);
        QCOMPARE(sent.state(), state);
        const auto events = sent.recorder.wait(sent.here);
        QCOMPARE(std::ranges::count_if(events, ends_run<RunEvent>), std::ptrdiff_t{1});
    }

    void an_order_that_is_given_again_while_it_is_told_stays() {
        SentOne sent;
        sent.queue.take(kThere, RunPaused{});
        sent.queue.resume(sent.here);
        const SentJob told = sent.queue.open_jobs().at(0);
        sent.queue.take(kThere, RunFailed{Error(ErrorCode::disk_full, "the disk is full")});
        sent.queue.resume(sent.here);
        sent.queue.note_order_given(told);
        QVERIFY(sent.queue.open_jobs().at(0).order == Order::resume);
        sent.tell_order();
        QVERIFY(sent.queue.open_jobs().at(0).order == Order::none);
    }

    void a_job_that_was_stopped_before_it_was_sent_does_not_fail() {
        const auto state_after = [](const std::function<void(SentQueue&, JobId)>& stop) {
            SentOne sent;
            VideoRequest request;
            request.output.file = "b.mp4";
            const JobId job = sent.queue.submit(request);
            const SentJob travels = sent.queue.open_jobs().at(1);
            stop(sent.queue, job);
            sent.queue.note_failed(travels.token, Error(ErrorCode::file_not_found, "an input is missing"));
            return sent.queue.find(job).value().state;
        };
        QCOMPARE(state_after([](SentQueue& queue, JobId job) { queue.cancel(job); }), JobState::cancelled);
        QCOMPARE(state_after([](SentQueue& queue, JobId job) { queue.pause(job, PausePoint::at_once); }),
                 JobState::paused);
        QCOMPARE(state_after([](SentQueue&, JobId) {}), JobState::failed);
    }

    /// Otherwise the job of another program would be deleted there.
    void a_finished_job_is_not_deleted_there_by_an_id_that_another_one_has() {
        SentOne sent;
        sent.queue.take(kThere, RunFinished{});
        sent.queue.note_fetched(sent.token, RunFinished{});
        Job other;
        other.id = kThere;
        other.request = request_of_another();
        sent.queue.reconcile({other});
        QVERIFY(sent.queue.open_jobs().at(0).stage == Stage::cleaning);
        QCOMPARE(sent.queue.open_jobs().at(0).there, JobId{0});
    }

    /// Deleted jobs stay until the other computer can be reached.
    void a_job_is_moved_among_those_that_are_shown() {
        SentOne sent;
        sent.queue.remove(sent.here);
        std::vector<JobId> jobs;
        for (const char* name : {"1.mp4", "2.mp4", "3.mp4"}) {
            VideoRequest request;
            request.output.file = name;
            jobs.push_back(sent.queue.submit(request));
        }
        const auto order_after = [&](JobId job, int position) {
            sent.queue.move(job, position);
            std::vector<JobId> order;
            for (const Job& each : sent.queue.list()) order.push_back(each.id);
            return order;
        };
        QCOMPARE(order_after(jobs[2], 1), (std::vector<JobId>{jobs[0], jobs[2], jobs[1]}));
        QCOMPARE(order_after(jobs[0], 2), (std::vector<JobId>{jobs[2], jobs[1], jobs[0]}));
        QCOMPARE(order_after(jobs[0], -1), (std::vector<JobId>{jobs[0], jobs[2], jobs[1]}));
        QCOMPARE(order_after(jobs[0], 9), (std::vector<JobId>{jobs[2], jobs[1], jobs[0]}));
    }

    void a_request_that_is_replaced_while_its_inputs_travel_is_not_sent() {
        SentOne sent;
        sent.queue.take(kThere, RunFailed{Error(ErrorCode::internal, "a failure")});
        VideoRequest request;
        request.output.file = "b.mp4";
        const JobId job = sent.queue.submit(request);
        const SentJob travels = sent.queue.open_jobs().at(0);
        sent.queue.edit(job, request);
        QVERIFY(!sent.queue.begin_sending(travels.token));
        sent.queue.note_failed(travels.token, Error(ErrorCode::file_not_found, "an input is missing"));
        const SentJob newer = sent.queue.open_jobs().at(0);
        QVERIFY(newer.token != travels.token);
        QVERIFY(!newer.is_sent);
    }

    /// Its models may have been moved there, so they are looked for again.
    void a_job_that_starts_over_is_sent_again() {
        SentOne sent;
        VideoRequest resolved = sent.there.request;
        resolved.seed = 5;
        sent.queue.take(kThere, started_with(resolved));
        sent.queue.take(kThere, RunFailed{Error(ErrorCode::file_not_found, "the model is missing")});
        sent.queue.retry(sent.here);
        QCOMPARE(sent.state(), JobState::waiting);
        QCOMPARE(sent.queue.list().size(), std::size_t{1});
        const auto open = sent.queue.open_jobs();
        QCOMPARE(open.size(), std::size_t{2});
        QVERIFY(open[0].stage == Stage::here && !open[0].is_sent && open[0].token != sent.token);
        QCOMPARE(open[0].own.seed, std::optional<std::uint64_t>(5));
        QVERIFY(open[1].is_removed && open[1].token == sent.token);
        QCOMPARE(open[1].there, kThere);
    }

    void a_job_whose_results_are_gone_can_start_over() {
        const auto start_over = [](void (SentQueue::*start)(JobId)) {
            SentOne sent;
            sent.queue.take(kThere, RunFinished{});
            sent.queue.note_failed(sent.token, results_gone());
            (sent.queue.*start)(sent.here);
            const SentJob job = sent.queue.open_jobs().at(0);
            return job.stage == Stage::here && job.token != sent.token;
        };
        QVERIFY(start_over(&SentQueue::retry));
        QVERIFY(start_over(&SentQueue::resume));
    }

    /// Otherwise the finished video would be deleted there.
    void a_job_whose_results_did_not_fit_here_does_not_run_again() {
        SentOne sent;
        sent.queue.take(kThere, RunFinished{});
        sent.queue.note_failed(sent.token, Error(ErrorCode::disk_full, "the disk is full"));
        QCOMPARE(sent.state(), JobState::failed);
        sent.queue.retry(sent.here);
        QCOMPARE(sent.state(), JobState::running);
        const auto open = sent.queue.open_jobs();
        QCOMPARE(open.size(), std::size_t{1});
        QVERIFY(open[0].stage == Stage::fetching && open[0].token == sent.token);
    }

    void a_job_that_is_to_be_decoded_does_not_fail_again_after_a_new_connection() {
        SentOne sent;
        sent.there.step = 3;
        sent.queue.reconcile({sent.there});
        sent.there.state = JobState::failed;
        sent.there.error = Error(ErrorCode::out_of_memory, "too little memory");
        sent.queue.take(kThere, RunFailed{*sent.there.error});
        sent.queue.decode_now(sent.here);
        sent.queue.note_question();
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.state(), JobState::waiting);
        QCOMPARE(sent.queue.open_jobs().at(0).order, Order::decode);
        QCOMPARE(sent.failures().size(), std::size_t{1});
    }

    void a_job_that_an_earlier_version_was_to_start_over_can_start_over() {
        SentOne sent;
        QVERIFY(replace_in(sent.ledger(), "\"order\": \"none\"", "\"order\": \"retry\""));
        SentQueue later(sent.setup());
        QCOMPARE(later.list().at(0).state, JobState::failed);
        QVERIFY(later.open_jobs().empty());
        later.retry(sent.here);
        QVERIFY(later.open_jobs().at(0).stage == Stage::here);
    }

    /// Who moves away the ledger of a later version loses the jobs that still run there.
    void a_ledger_of_a_later_version_is_not_damaged_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<ErrorCode>("code");
        const auto add = [](const char* name, const char* from, const char* to, ErrorCode code) {
            QTest::newRow(name) << QString(from).replace('\'', '"') << QString(to).replace('\'', '"') << code;
        };
        add("format", "'format': 1", "'format': 2", ErrorCode::unsupported);
        add("field", "'request': '{", "'request': '{\\'of_tomorrow\\': 1,", ErrorCode::unsupported);
        add("stage", "'stage': 'there'", "'stage': 'beyond'", ErrorCode::unsupported);
        add("order", "'order': 'none'", "'order': 'hurry'", ErrorCode::unsupported);
        add("state", "'state': 'running'", "'state': 'dreaming'", ErrorCode::unsupported);
        add("invalid format", "'format': 1", "'format': 'new'", ErrorCode::bad_config);
        add("invalid request", "'request': '{", "'request': '{{", ErrorCode::bad_config);
        add("invalid number", "'deaths': 0", "'deaths': 'none'", ErrorCode::bad_config);
    }
    void a_ledger_of_a_later_version_is_not_damaged() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(ErrorCode, code);
        SentOne sent;
        QVERIFY(replace_in(sent.ledger(), from.toStdString(), to.toStdString()));
        try {
            SentQueue(sent.setup());
            QFAIL("no error");
        } catch (const Error& error) {
            QVERIFY2(error.code() == code, error.what());
            QVERIFY2(error.message().find(sent.ledger().string()) != std::string::npos, error.what());
            const bool may_be_moved = error.hint().find("Move the file away") != std::string::npos;
            QCOMPARE(may_be_moved, code == ErrorCode::bad_config);
        }
    }

    /// Otherwise the ledger would be replaced, and the results there would never be fetched.
    void a_ledger_that_cannot_be_read_now_is_not_empty() {
        QTemporaryDir folder;
        const std::filesystem::path loop = folder.filePath("loop").toStdString();
        std::filesystem::create_symlink(loop, loop);
        EventRecorder recorder;
        try {
            SentQueue(setup_with(loop / "ledger.json", recorder));
            QFAIL("no error");
        } catch (const Error& error) {
            QVERIFY2(error.code() == ErrorCode::file_unreadable, error.what());
        }
    }

    /// Otherwise each start of the program would connect to the computer.
    void a_cancelled_job_that_left_nothing_there_is_forgotten() {
        SentOne sent;
        const RunCancelled cancelled{.step = 2, .output = "/there/part.mp4"};
        sent.queue.take(kThere, cancelled);
        sent.queue.note_fetched(sent.token, cancelled);
        QCOMPARE(SentQueue(sent.setup()).open_jobs().size(), std::size_t{1});
        sent.queue.note_done(sent.token);
        QVERIFY(SentQueue(sent.setup()).open_jobs().empty());
    }

    void a_job_whose_results_are_fetched_says_so() {
        SentOne sent;
        QCOMPARE(sent.queue.find(sent.here)->waits_for, std::string());
        sent.queue.take(kThere, RunFinished{});
        QCOMPARE(sent.queue.find(sent.here)->waits_for, std::string("ResultsOnTheWay"));
        QCOMPARE(sent.queue.list().at(0).waits_for, std::string("ResultsOnTheWay"));
        sent.queue.note_fetched(sent.token, RunFinished{});
        QCOMPARE(sent.queue.find(sent.here)->waits_for, std::string());
    }

    /// They can continue, so their computer must not be removed without a question.
    void paused_and_interrupted_jobs_are_not_over() {
        SentOne sent;
        QCOMPARE(sent.queue.num_open(), 1);
        sent.queue.pause(sent.here, PausePoint::after_step);
        sent.tell_order();
        sent.there.state = JobState::paused;
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.state(), JobState::paused);
        QCOMPARE(sent.queue.num_open(), 1);
        QVERIFY(sent.queue.open_jobs().empty());  // nothing is to be done
        sent.queue.remove(sent.here);
        QCOMPARE(sent.queue.num_open(), 0);
        SentOne other;
        for (int end = 1; end <= remote::kMostEndedEngines; ++end) {
            other.there.state = JobState::interrupted;
            other.queue.reconcile({other.there});
            other.tell_order();
        }
        QCOMPARE(other.state(), JobState::interrupted);
        QCOMPARE(other.queue.num_open(), 1);
    }

    void the_events_of_two_threads_have_the_order_of_the_changes() {
        const QTemporaryDir folder;
        SlowObserver observer;
        SentQueue queue(setup_with(folder.filePath("ledger.json").toStdString(), observer));
        const JobId first = queue.submit({});
        const JobId second = queue.submit({});
        observer.during_first = [&] { std::thread([&] { queue.cancel(second); }).join(); };
        queue.cancel(first);
        QCOMPARE(observer.ended(), (std::vector<JobId>{first, second}));
    }

    void events_after_one_that_the_observer_cannot_take_are_sent() {
        const QTemporaryDir folder;
        FullObserver observer;
        SentQueue queue(setup_with(folder.filePath("ledger.json").toStdString(), observer));
        const JobId first = queue.submit({});
        const JobId second = queue.submit({});
        const JobId third = queue.submit({});
        observer.during_first = [&] { queue.cancel(second); };
        QVERIFY_EXCEPTION_THROWN(queue.cancel(first), std::bad_alloc);
        QCOMPARE(observer.ended, (std::vector<JobId>{first, second}));
        QCOMPARE(observer.newest.size(), std::size_t{3});
        QCOMPARE(observer.newest.at(0).state, JobState::cancelled);
        QCOMPARE(observer.newest.at(1).state, JobState::cancelled);
        queue.cancel(third);
        QCOMPARE(observer.newest.at(2).state, JobState::cancelled);
    }

    void a_job_that_the_user_cancelled_does_not_go_on() {
        SentOne sent;
        sent.queue.cancel(sent.here);
        sent.lose_device();
        sent.queue.reconcile({sent.there});
        QCOMPARE(sent.state(), JobState::failed);
        QCOMPARE(sent.queue.open_jobs().at(0).order, Order::cancel);
    }
};

QTEST_GUILESS_MAIN(TestSentQueue)
#include "test_sent_queue.moc"
