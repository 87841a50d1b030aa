#include <sys/resource.h>
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <csignal>
#include <fstream>

#include "core/cluster/attempt_events.h"
#include "core/cluster/cluster_engine.h"
#include "core/cluster/cluster_job_queue.h"
#include "tests/core/cluster/pretended_slurm.h"
#include "tests/core/jobs/event_recorder.h"

using namespace kinescope;
using namespace kinescope::cluster;
using namespace kinescope::testing;
namespace fs = std::filesystem;

namespace {

ClusterJob job_in(JobState state, Wish wish = Wish::run) {
    ClusterJob job;
    job.job.id = 1;
    job.job.state = state;
    job.job.request.output.file = "/home/a.mp4";
    job.wish = wish;
    return job;
}

TaskView task_in(TaskState state, int step = 0) {
    TaskView view;
    view.verdict.state = state;
    if (step > 0) view.status = AttemptStatus{.step = step, .num_steps = 8};
    return view;
}

template <class Check>
void try_until(Check check) {
    QTRY_VERIFY_WITH_TIMEOUT(check(), 20'000);
}

/// Files cannot grow beyond this size, as on a full disk.
class LimitedFiles {
public:
    explicit LimitedFiles(std::uintmax_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{.rlim_cur = static_cast<rlim_t>(bytes), .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~LimitedFiles() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

/// Reads one frame of any video.
struct OneVideo final : VideoFiles {
    explicit OneVideo(const VideoDescription& described) : shape(described) {}

    VideoRequest read_settings(const fs::path&) override { return {}; }
    VideoDescription describe_video(const fs::path&) override { return shape; }
    std::vector<FramePtr> read_frames(const fs::path&, const FrameSelection&, ReadId) override {
        return {std::make_shared<Frame>()};
    }
    void cancel_read(ReadId) override {}
    ExportResult export_video(const ExportRequest&, ExportId) override { return {}; }
    void cancel_export(ExportId) override {}
    ExportEstimate estimate_export(const ExportRequest&) override { return {}; }
    FinishResult finish_video(const FinishRequest&, FinishId) override { return {}; }
    void cancel_finish(FinishId) override {}
    void pause_finish(FinishId) override {}

    VideoDescription shape;
};

}  // namespace

class TestClusterJobs : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> dir_;
    std::unique_ptr<PretendedSlurm> slurm_;
    std::mutex mutex_;  ///< guards slurm_, which the queue's thread asks
    std::unique_ptr<EventRecorder> recorder_;
    std::function<void()> at_squeue_;                              ///< on the queue's thread, once
    std::function<void(const VideoRequest&)> at_memory_question_;  ///< on the queue's thread, before a submission

    fs::path dir() const { return dir_->path().toStdString(); }
    std::unique_ptr<ClusterJobQueue> open() {
        return std::make_unique<ClusterJobQueue>(
            ClusterJobQueue::Setup{.jobs_file = dir() / "jobs.json",
                                   .shared_dir = dir(),
                                   .options = {.program = "/x"},
                                   .memory_for = [this](const VideoRequest& request) -> std::int64_t {
                                       if (at_memory_question_) at_memory_question_(request);
                                       if (request.prompt == "bad") throw Error(ErrorCode::bad_request, "it is bad");
                                       return 1 << 30;
                                   },
                                   .run =
                                       [this](const std::vector<std::string>& words) {
                                           if (words[0] == "squeue" && at_squeue_) std::exchange(at_squeue_, {})();
                                           const std::lock_guard lock(mutex_);
                                           return (*slurm_)(words);
                                       },
                                   .poll_seconds = 0.05,
                                   .observer = *recorder_});
    }
    template <class Change>
    void change_slurm(Change change) {
        const std::lock_guard lock(mutex_);
        change(*slurm_);
    }
    int num_submitted() {
        const std::lock_guard lock(mutex_);
        return slurm_->next_job - 10;
    }
    VideoRequest request(const char* name) const {
        VideoRequest made;
        made.output.file = dir() / "home" / name;
        return made;
    }
    /// The only batch in the shared folder.
    fs::path batch() const {
        fs::path found;
        for (const fs::directory_entry& entry : fs::directory_iterator(dir()))
            if (entry.is_directory() && entry.path().filename().string().starts_with("kinescope-"))
                found = entry.path();
        return found;
    }
    TaskFolder task() const { return BatchFolder(batch()).task_folder(1); }
    void run_on_node(const AttemptKey& key, int step) {
        change_slurm(
            [&](PretendedSlurm& slurm) { slurm.jobs[std::to_string(9 + key.submission)].states[1] = "RUNNING"; });
        task().claim(key);
        task().write_status(key, {.state = AttemptState::running, .node = "n1", .step = step, .num_steps = 8});
    }
    /// Submits the first job of a queue, which then runs on a node and has finished `step` steps.
    JobId start_job(ClusterJobQueue& queue, int step) {
        const JobId id = queue.submit(request("a.mp4"));
        try_until([&] { return num_submitted() == 1; });
        run_on_node({1, 0}, step);
        try_until([&] { return queue.find(id)->state == JobState::running; });
        return id;
    }
    void finish_on_node(const AttemptKey& key) {
        fs::create_directories(task().outputs(key));
        std::ofstream(task().outputs(key) / "video.mp4") << "video";
        AttemptEventWriter(task().attempt(key))
            .add(RunFinished{{.output = "out/video.mp4", .status = RunStatus::healed, .num_frames = 9}});
        std::ofstream(task().outputs(key) / kResultFile)
            << describe_outputs(task().outputs(key), {{"status", "healed"}}).dump();
        task().publish(key);
        change_slurm([](PretendedSlurm& slurm) { slurm.jobs.clear(); });
    }

private Q_SLOTS:
    void init() {
        dir_ = std::make_unique<QTemporaryDir>();
        slurm_ = std::make_unique<PretendedSlurm>();
        recorder_ = std::make_unique<EventRecorder>();
        at_memory_question_ = {};
        at_squeue_ = {};
    }

    void states_of_tasks_become_states_of_jobs_data() {
        QTest::addColumn<int>("task");
        QTest::addColumn<int>("wish");
        QTest::addColumn<int>("expected");
        QTest::addColumn<int>("event");  // index in RunEvent; -1: none
        const auto row = [](const char* name, TaskState task, Wish wish, JobState expected, int event) {
            QTest::newRow(name) << int(task) << int(wish) << int(expected) << event;
        };
        const auto index_of = [](const RunEvent& event) { return int(event.index()); };
        row("waits", TaskState::waiting, Wish::run, JobState::waiting, -1);
        row("is submitted again", TaskState::lost, Wish::run, JobState::waiting, -1);
        row("runs", TaskState::running, Wish::run, JobState::running, -1);
        row("is being cancelled", TaskState::running, Wish::cancel, JobState::running, -1);
        row("is being imported", TaskState::finished, Wish::run, JobState::running, -1);
        row("finished", TaskState::imported, Wish::run, JobState::finished, index_of(RunFinished{}));
        row("finished before the cancel", TaskState::imported, Wish::cancel, JobState::finished,
            index_of(RunFinished{}));
        row("failed", TaskState::failed, Wish::run, JobState::failed,
            index_of(RunFailed{Error(ErrorCode::internal, "")}));
        row("cancelled", TaskState::cancelled, Wish::cancel, JobState::cancelled, index_of(RunCancelled{}));
        row("stopped for the cancel", TaskState::stopped, Wish::cancel, JobState::cancelled, index_of(RunCancelled{}));
        row("paused", TaskState::cancelled, Wish::pause, JobState::paused, index_of(RunPaused{}));
        row("scancel by another program", TaskState::stopped, Wish::run, JobState::paused, index_of(RunPaused{}));
    }
    void states_of_tasks_become_states_of_jobs() {
        QFETCH(int, task);
        QFETCH(int, wish);
        QFETCH(int, expected);
        QFETCH(int, event);
        ClusterJob job = job_in(JobState::running, Wish(wish));
        const auto last = follow(job, task_in(TaskState(task), 3), std::nullopt);
        QCOMPARE(int(job.job.state), expected);
        QCOMPARE(last ? int(last->index()) : -1, event);
        QCOMPARE(job.job.step, 3);
        QCOMPARE(job.job.num_steps, 8);
        QVERIFY(!last || !is_open(job) || job.wish == Wish::pause);
    }

    void jobs_are_read_as_they_were_saved() {
        const fs::path file = dir() / "jobs.json";
        QVERIFY(read_cluster_jobs(file).jobs.empty());
        ClusterJobs jobs{.last_id = 7, .jobs = {job_in(JobState::failed, Wish::resume)}};
        jobs.jobs[0].folder = "/shared/b";
        jobs.jobs[0].job.error = Error(ErrorCode::disk_full, "full", "hint", {{"path", "/x"}});
        save_cluster_jobs(file, jobs);
        const ClusterJobs again = read_cluster_jobs(file);
        QCOMPARE(again.last_id, 7);
        QVERIFY(again.jobs.at(0) == jobs.jobs[0]);
        QCOMPARE(again.jobs[0].job.error->arguments().at("path"), "/x");
    }

    void jobs_that_cannot_be_read_now_are_not_lost() {
        fs::create_symlink(dir() / "loop", dir() / "loop");
        QVERIFY_THROWS_EXCEPTION(Error, read_cluster_jobs(dir() / "loop" / "jobs.json"));
    }

    void jobs_of_an_earlier_version_have_no_format() {
        std::ofstream(dir() / "jobs.json") << "{\"last_id\": 3, \"jobs\": []}";
        QCOMPARE(read_cluster_jobs(dir() / "jobs.json").last_id, 3);
    }

    /// Who moves away the jobs of a later version loses those that still run on the cluster.
    void jobs_of_a_later_version_are_not_damaged_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<ErrorCode>("code");
        const auto add = [](const char* name, const char* from, const char* to, ErrorCode code) {
            QTest::newRow(name) << QString(from).replace('\'', '"') << QString(to).replace('\'', '"') << code;
        };
        add("format", "'format': 1", "'format': 2", ErrorCode::unsupported);
        add("field", "'request': '{", "'request': '{\\'of_tomorrow\\': 1,", ErrorCode::unsupported);
        add("wish", "'wish': 'run'", "'wish': 'fly'", ErrorCode::unsupported);
        add("state", "'state': 'running'", "'state': 'dreaming'", ErrorCode::unsupported);
        add("invalid request", "'request': '{", "'request': '{{", ErrorCode::bad_config);
        add("invalid id", "'id': 1", "'id': 0", ErrorCode::bad_config);
        add("missing member", "'wish': 'run'", "'hope': 'run'", ErrorCode::bad_config);
    }
    void jobs_of_a_later_version_are_not_damaged() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(ErrorCode, code);
        const QString file = dir_->filePath("jobs.json");
        save_cluster_jobs(file.toStdString(), {.last_id = 7, .jobs = {job_in(JobState::running)}});
        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadWrite));
        QString text = QString::fromUtf8(saved.readAll());
        QCOMPARE(text.count(from), qsizetype{1});
        saved.seek(0);
        saved.resize(0);
        saved.write(text.replace(from, to).toUtf8());
        saved.close();
        try {
            read_cluster_jobs(file.toStdString());
            QFAIL("no error");
        } catch (const Error& error) {
            QVERIFY2(error.code() == code, error.what());
            QVERIFY2(error.message().find(file.toStdString()) != std::string::npos, error.what());
            const bool may_be_moved = error.hint().find("Move the file away") != std::string::npos;
            QCOMPARE(may_be_moved, code == ErrorCode::bad_config);
        }
    }

    void events_of_a_node_are_read_once_and_in_order() {
        AttemptEventWriter writer(dir());
        AttemptEventReader reader;
        QVERIFY(reader.read(dir()).empty());
        writer.add(PhaseStarted{Phase::denoise, 8});
        writer.add(StepCompleted{.step = 0, .num_steps = 8});
        writer.add(LogLine{LogLineLevel::info, "stays on the node"});
        const auto frame = std::make_shared<const Frame>(Frame{1, 1, {1, 2, 3}});
        writer.show({.step = 0, .num_frames = 1, .frames = {frame}});
        auto events = reader.read(dir());
        QCOMPARE(events.size(), std::size_t{3});
        QVERIFY(std::holds_alternative<StepCompleted>(events[1]));
        QCOMPARE(std::get<PreviewReady>(events[2]).frames.at(0)->pixels, frame->pixels);
        QVERIFY(reader.read(dir()).empty());
        std::ofstream(dir() / "events", std::ios::app) << std::string("\0\0", 2);  // half a length
        QVERIFY(reader.read(dir()).empty());
        std::ofstream(dir() / "events", std::ios::app) << std::string(
            "\0\x03"
            "abc",
            5);
        QVERIFY(reader.read(dir()).empty());
        writer.add(StepCompleted{.step = 1, .num_steps = 8});
        QVERIFY(reader.read(dir()).empty());  // after damage, nothing is guessed
    }

    void events_go_on_after_the_storage_had_no_space() {
        const fs::path file = dir() / "events";
        AttemptEventWriter writer(dir());
        AttemptEventReader reader;
        writer.add(StepCompleted{.step = 0, .num_steps = 8});
        {
            const LimitedFiles limit(fs::file_size(file) + 5);
            writer.add(StepCompleted{.step = 1, .num_steps = 8});
        }
        writer.add(StepCompleted{.step = 2, .num_steps = 8});
        const auto events = of_type<StepCompleted>(reader.read(dir()));
        QCOMPARE(events.size(), std::size_t{2});
        QCOMPARE(events[1].step, 2);
    }

    void a_video_from_submission_to_result() {
        const auto queue = open();
        const JobId id = queue->submit(request("a.mp4"));
        try_until([&] { return num_submitted() == 1; });
        QCOMPARE(queue->find(id)->state, JobState::waiting);
        QVERIFY(queue->find(id)->request.seed.has_value());
        run_on_node({1, 0}, 2);
        AttemptEventWriter(task().attempt({1, 0})).add(StepCompleted{.step = 1, .num_steps = 8});
        try_until([&] { return queue->find(id)->state == JobState::running && queue->find(id)->step == 2; });
        finish_on_node({1, 0});
        const auto events = recorder_->wait(id);
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{1});
        const RunResult result = of_type<RunFinished>(events).at(0).result;
        QCOMPARE(result.status, RunStatus::healed);
        QCOMPARE(result.output, dir() / "home/a.mp4");
        QVERIFY(fs::exists(result.output));
        QCOMPARE(queue->find(id)->state, JobState::finished);
        try_until([&] { return batch().empty(); });
        queue->remove(id);
        try_until([&] { return queue->list().empty(); });
    }

    void the_reason_of_slurm_is_told() {
        const auto queue = open();
        const JobId id = queue->submit(request("a.mp4"));
        try_until([&] { return num_submitted() == 1; });
        change_slurm([](PretendedSlurm& slurm) { slurm.jobs["10"].reason = "Resources"; });
        try_until([&] { return queue->find(id)->waits_for == "Resources"; });
        run_on_node({1, 0}, 2);
        try_until([&] { return queue->find(id)->waits_for.empty(); });
    }

    void the_next_process_picks_jobs_up() {
        auto queue = open();
        const JobId id = queue->submit(request("a.mp4"));
        try_until([&] { return num_submitted() == 1; });
        queue.reset();
        run_on_node({1, 0}, 3);
        queue = open();
        try_until([&] { return queue->find(id)->step == 3; });
        finish_on_node({1, 0});
        QCOMPARE(of_type<RunFinished>(recorder_->wait(id)).size(), std::size_t{1});
        QCOMPARE(num_submitted(), 1);
    }

    void a_job_is_paused_and_decoded() {
        const auto queue = open();
        const JobId id = start_job(*queue, 3);
        queue->pause(id, PausePoint::after_step);
        try_until([&] {
            const std::lock_guard lock(mutex_);
            return slurm_->cancelled == std::vector<std::string>{"10_1"};
        });
        change_slurm([](PretendedSlurm& slurm) { slurm.jobs["10"].states[1] = "CANCELLED"; });
        QCOMPARE(of_type<RunPaused>(recorder_->wait(id)).at(0).step, 3);
        QCOMPARE(BatchFolder(batch()).remaining_steps(), RemainingSteps::computed);
        queue->decode_now(id);
        try_until([&] { return num_submitted() == 2; });
        QCOMPARE(BatchFolder(batch()).remaining_steps(), RemainingSteps::skipped);
        run_on_node({2, 0}, 4);
        try_until([&] { return queue->find(id)->step == 4; });
        queue->cancel(id);
        change_slurm([](PretendedSlurm& slurm) { slurm.jobs.clear(); });
        QCOMPARE(of_type<RunCancelled>(recorder_->wait(id, 2)).size(), std::size_t{1});
        try_until([&] { return batch().empty(); });
    }

    void refusals_are_the_end_of_a_job() {
        const auto queue = open();
        VideoRequest bad = request("a.mp4");
        bad.prompt = "bad";
        const JobId invalid = queue->submit(bad);
        QCOMPARE(of_type<RunFailed>(recorder_->wait(invalid)).at(0).error.code(), ErrorCode::bad_request);
        change_slurm([](PretendedSlurm& slurm) { slurm.refusal = "sbatch: error: QOSMaxSubmitJobPerUserLimit"; });
        const JobId refused = queue->submit(request("b.mp4"));
        QVERIFY(of_type<RunFailed>(recorder_->wait(refused)).at(0).error.message().find("quota") != std::string::npos);
        QVERIFY(batch().empty());
        change_slurm([](PretendedSlurm& slurm) { slurm.refusal.clear(); });
        queue->resume(refused);
        try_until([&] { return num_submitted() == 1; });
    }

    void an_edit_during_the_submission_counts() {
        const auto queue = open();
        VideoRequest old = request("a.mp4");
        old.prompt = "old";
        std::atomic<JobId> id = 0;
        std::atomic<bool> edited = false;
        at_memory_question_ = [&](const VideoRequest& asked) {
            if (asked.prompt != "old" || edited.exchange(true)) return;
            try_until([&] { return id != 0; });
            VideoRequest changed = asked;
            changed.prompt = "new";
            queue->edit(id, changed);
        };
        id = queue->submit(old);
        try_until([&] { return num_submitted() == 1; });
        QCOMPARE(BatchFolder(batch()).task(1).request.prompt, std::string("new"));
        QCOMPARE(queue->find(id)->request.prompt, std::string("new"));
    }

    void an_import_to_another_file_system_that_fails_delays_no_other_job() {
        const QTemporaryDir memory("/dev/shm/kinescope-XXXXXX");
        struct stat here {
        }, there{};
        ::stat(dir().c_str(), &here);
        if (!memory.isValid() || ::stat(memory.path().toUtf8(), &there) != 0 || here.st_dev == there.st_dev)
            QSKIP("there is no second file system");
        const auto queue = open();
        VideoRequest first = request("a.mp4");
        first.output.file = fs::path(memory.path().toStdString()) / "a.mp4";
        const JobId id = queue->submit(first);
        try_until([&] { return num_submitted() == 1; });
        run_on_node({1, 0}, 2);
        std::ofstream(first.output.file) << "mine";
        finish_on_node({1, 0});
        QCOMPARE(of_type<RunFailed>(recorder_->wait(id)).at(0).error.code(), ErrorCode::output_exists);
        queue->submit(request("b.mp4"));
        try_until([&] { return num_submitted() == 2; });
        fs::remove(first.output.file);
        queue->resume(id);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(id, 2)).size(), std::size_t{1});
        QVERIFY(fs::exists(first.output.file));
    }

    void a_storage_that_is_away_changes_nothing() {
        const auto queue = open();
        const JobId id = start_job(*queue, 2);
        const fs::path folder = batch();
        fs::rename(folder, dir() / "away");
        QTest::qWait(300);
        QCOMPARE(queue->find(id)->state, JobState::running);
        QCOMPARE(num_submitted(), 1);
        fs::rename(dir() / "away", folder);
        finish_on_node({1, 0});
        QCOMPARE(of_type<RunFinished>(recorder_->wait(id)).size(), std::size_t{1});
    }

    void jobs_whose_folder_is_gone_or_damaged_end_in_slurm_and_can_be_removed() {
        const auto queue = open();
        const JobId gone = queue->submit(request("a.mp4"));
        try_until([&] { return num_submitted() == 1; });
        fs::rename(batch(), dir() / "away");
        const JobId damaged = queue->submit(request("b.mp4"));
        try_until([&] { return num_submitted() == 2; });
        std::ofstream(batch() / "requests.jsonl") << "{";
        queue->remove(gone);
        queue->retry(damaged);
        try_until([&] { return num_submitted() == 3; });
        fs::rename(batch(), dir() / "away too");
        queue->cancel(damaged);
        QCOMPARE(of_type<RunCancelled>(recorder_->wait(damaged)).size(), std::size_t{1});
        const std::lock_guard lock(mutex_);
        QCOMPARE(slurm_->cancelled, (std::vector<std::string>{"10", "11", "12"}));
        QCOMPARE(queue->list().size(), std::size_t{1});
    }

    void continue_during_a_pause_counts() {
        const auto queue = open();
        const JobId id = start_job(*queue, 3);
        change_slurm([&](PretendedSlurm& slurm) {
            slurm.at_scancel = [&] {
                slurm.jobs["10"].states[1] = "CANCELLED";
                at_squeue_ = [&] { queue->resume(id); };
            };
        });
        queue->pause(id, PausePoint::after_step);
        try_until([&] { return num_submitted() == 2; });
        QVERIFY(of_type<RunPaused>(recorder_->wait(id, 0)).empty());
    }

    void a_retry_that_cannot_be_submitted_fails() {
        const auto queue = open();
        VideoRequest bad = request("a.mp4");
        bad.prompt = "bad";
        const JobId id = queue->submit(bad);
        QCOMPARE(of_type<RunFailed>(recorder_->wait(id)).size(), std::size_t{1});
        queue->retry(id);
        QCOMPARE(of_type<RunFailed>(recorder_->wait(id, 2)).size(), std::size_t{2});
        QCOMPARE(queue->find(id)->state, JobState::failed);
        change_slurm([](PretendedSlurm& slurm) { slurm.refusal = "sbatch: error: QOSMaxSubmitJobPerUserLimit"; });
        const JobId refused = queue->submit(request("b.mp4"));
        recorder_->wait(refused);
        change_slurm([](PretendedSlurm& slurm) { slurm.num_refused = 0; });
        queue->retry(refused);
        QCOMPARE(of_type<RunFailed>(recorder_->wait(refused, 2)).size(), std::size_t{2});
        const std::lock_guard lock(mutex_);
        QCOMPARE(slurm_->num_refused, 1);
    }

    void a_cancellation_that_slurm_did_not_take_is_repeated() {
        const auto queue = open();
        const JobId id = start_job(*queue, 3);
        change_slurm([](PretendedSlurm& slurm) { slurm.scancel_fails = true; });
        queue->pause(id, PausePoint::after_step);
        try_until([&] { return BatchFolder(batch()).is_cancelled(1); });
        change_slurm([](PretendedSlurm& slurm) { slurm.jobs["10"].states[1] = "PENDING"; });
        QTest::qWait(200);
        QVERIFY(queue->find(id)->state != JobState::paused);
        change_slurm([](PretendedSlurm& slurm) { slurm.scancel_fails = false; });
        try_until([&] {
            const std::lock_guard lock(mutex_);
            return !slurm_->cancelled.empty();
        });
    }

    void jobs_wait_while_the_controller_does_not_answer() {
        const auto queue = open();
        change_slurm([](PretendedSlurm& slurm) { slurm.is_down = true; });
        const JobId id = queue->submit(request("a.mp4"));
        try_until([&] { return !batch().empty(); });
        QTest::qWait(300);
        QCOMPARE(queue->find(id)->state, JobState::waiting);
        change_slurm([](PretendedSlurm& slurm) { slurm.is_down = false; });
        try_until([&] { return num_submitted() == 1; });
    }

    /// A busy controller takes a batch although sbatch no longer waits for it.
    void a_submission_whose_answer_is_lost_is_not_repeated() {
        const auto queue = open();
        change_slurm([](PretendedSlurm& slurm) { slurm.loses_answers = true; });
        const JobId id = queue->submit(request("a.mp4"));
        try_until([&] { return num_submitted() == 1; });
        try_until([&] { return BatchFolder(batch()).submission(1).job == "10"; });
        run_on_node({1, 0}, 2);
        try_until([&] { return queue->find(id)->step == 2; });
        queue->cancel(id);
        try_until([&] {
            const std::lock_guard lock(mutex_);
            return slurm_->cancelled == std::vector<std::string>{"10_1"};
        });
        QCOMPARE(num_submitted(), 1);
    }

    void a_cluster_that_refuses_the_options_is_refused() {
        slurm_->refusal = "sbatch: error: invalid partition specified: nowhere";
        QVERIFY_THROWS_EXCEPTION(Error, open());
        slurm_->refusal.clear();
        auto queue = open();
        const JobId id = queue->submit(request("a.mp4"));
        try_until([&] { return num_submitted() == 1; });
        queue.reset();
        slurm_->refusal = "sbatch: error: invalid partition specified: nowhere";  // its jobs are still followed
        queue = open();
        QCOMPARE(queue->find(id)->state, JobState::waiting);
    }

    void a_large_result_is_not_shown_with_all_its_frames_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("num_frames");
        QTest::addColumn<bool>("is_shown");
        QTest::newRow("usual") << 1280 << 81 << true;
        QTest::newRow("long") << 1280 << 810 << false;
        QTest::newRow("enlarged") << 5120 << 81 << false;
    }
    void a_large_result_is_not_shown_with_all_its_frames() {
        QFETCH(int, width);
        QFETCH(int, num_frames);
        QFETCH(bool, is_shown);
        OneVideo videos({.width = width, .height = width / 16 * 9, .num_frames = num_frames, .fps = 16});
        QCOMPARE(!frames_to_show(videos, "a.mp4").empty(), is_shown);
    }

    void what_a_cluster_cannot_do_is_said() {
        const auto queue = open();
        QVERIFY_THROWS_EXCEPTION(Error, queue->hand_over(1));
        QVERIFY_THROWS_EXCEPTION(Error, queue->move(1, 0));
        queue->hold();
        const JobId id = queue->submit(request("a.mp4"));
        QTest::qWait(200);
        QCOMPARE(num_submitted(), 0);
        queue->cancel(id);
        QCOMPARE(of_type<RunCancelled>(recorder_->wait(id)).size(), std::size_t{1});
        const JobId other = queue->submit(request("b.mp4"));
        queue->release();
        try_until([&] { return num_submitted() == 1; });
        queue->remove(other);
        change_slurm([](PretendedSlurm& slurm) { slurm.jobs.clear(); });
        try_until([&] { return batch().empty(); });
    }
};

QTEST_MAIN(TestClusterJobs)
#include "test_cluster_jobs.moc"
