#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <fstream>

#include "core/cluster/cluster_batch.h"
#include "tests/core/cluster/pretended_slurm.h"
#include "tests/core/cluster/temporary_task.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::cluster;
using namespace kinescope::testing;
namespace fs = std::filesystem;

class TestClusterBatch : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> dir_;
    std::unique_ptr<PretendedSlurm> slurm_;
    fs::path dir() const { return dir_->path().toStdString(); }
    RunCommand commands() {
        return [this](const std::vector<std::string>& words) { return (*slurm_)(words); };
    }
    std::vector<VideoTask> tasks(int count) const {
        std::vector<VideoTask> made;
        for (int i = 1; i <= count; ++i) {
            VideoRequest request;
            request.output.file = dir() / "home" / (std::to_string(i) + ".mp4");
            made.push_back(make_task(request));
        }
        return made;
    }
    ClusterBatch submit(int count) {
        ClusterBatch batch = ClusterBatch::submit(dir(), {.program = "/x"}, tasks(count), commands());
        batch.take_control();
        return batch;
    }
    static void finish(const ClusterBatch& batch, int number, const AttemptKey& key, const std::string& text) {
        const TaskFolder folder = batch.folder().task_folder(number);
        folder.claim(key);
        write_file(folder.outputs(key) / "video.mp4", text);
        const std::string description =
            describe_outputs(folder.outputs(key), {{"status", "completed"}, {"seconds", 2.0}}).dump();
        write_file(folder.outputs(key) / kResultFile, description);
        folder.publish(key);
    }
    static void report(const ClusterBatch& batch, int number, const AttemptKey& key, AttemptStatus status) {
        const TaskFolder folder = batch.folder().task_folder(number);
        folder.claim(key);
        folder.write_status(key, status);
    }
    /// Polls as often as it takes until a task without a process counts as lost, and follows up.
    static BatchView settle(ClusterBatch& batch) {
        BatchView view;
        for (int poll = 0; poll < kPollsUntilLost; ++poll) {
            view = batch.poll();
            batch.follow_up(view);
        }
        return view;
    }

private Q_SLOTS:
    void init() {
        dir_ = std::make_unique<QTemporaryDir>();
        slurm_ = std::make_unique<PretendedSlurm>();
    }

    void a_batch_from_submission_to_import() {
        ClusterBatch batch = submit(3);
        BatchView view = batch.poll();
        QCOMPARE(view.count(TaskState::waiting), 3);
        slurm_->jobs["10"].states[1] = "RUNNING";
        report(batch, 1, {1, 0}, {.state = AttemptState::running, .node = "n1", .step = 2, .num_steps = 8});
        view = batch.poll();
        QCOMPARE(view.count(TaskState::running), 1);
        QCOMPARE(view.tasks[0].status->step, 2);
        for (int number = 1; number <= 3; ++number) finish(batch, number, {1, 0}, "video");
        slurm_->jobs.clear();
        view = batch.poll();
        QCOMPARE(view.count(TaskState::finished), 3);
        QVERIFY(!view.is_over());
        QVERIFY(batch.follow_up(view).empty());
        QVERIFY(view.is_over() && batch.poll().is_over());
        QVERIFY(fs::exists(dir() / "home" / "3.mp4"));
        QCOMPARE(slurm_->next_job, 11);  // nothing was submitted a second time
    }

    void more_tasks_than_an_array_holds() {
        ClusterBatch batch = submit(kLargestArray + 2);
        QCOMPARE(batch.folder().submissions().size(), std::size_t{2});
        QCOMPARE(slurm_->jobs["11"].states.size(), std::size_t{2});
        slurm_->jobs["11"].states[2] = "RUNNING";
        QVERIFY(batch.poll().tasks[kLargestArray + 1].verdict.state == TaskState::running);
    }

    void a_refused_batch_leaves_nothing() {
        slurm_->refusal = "Batch job submission failed: Invalid partition name specified";
        QVERIFY_THROWS_EXCEPTION(Error, submit(2));
        QVERIFY(fs::is_empty(dir()));
    }

    /// The program was killed between sbatch's acceptance and the note of the job's number.
    void a_job_without_a_number_is_found_by_its_name() {
        ClusterBatch batch = submit(1);
        Submission unnumbered = batch.folder().submission(1);
        unnumbered.job.clear();
        batch.folder().write(unnumbered);
        settle(batch);
        QCOMPARE(batch.folder().submission(1).job, std::string("10"));
        QCOMPARE(slurm_->next_job, 11);
    }

    void another_program_goes_on_where_one_stopped() {
        { submit(2); }
        const auto folder = *fs::directory_iterator(dir());
        ClusterBatch again(folder.path(), commands());
        QVERIFY(again.take_control() == Control::taken);
        ClusterBatch third(folder.path(), commands());
        QVERIFY(third.take_control() == Control::elsewhere);
        finish(again, 2, {1, 0}, "video");
        BatchView view = again.poll();
        QVERIFY(again.follow_up(view).empty());
        QCOMPARE(third.poll().count(TaskState::imported), 1);
    }

    void a_vanished_task_is_submitted_again_with_a_bound() {
        ClusterBatch batch = submit(2);
        for (int round = 0; round < kMostLosses; ++round) {
            for (auto& [job, entry] : slurm_->jobs) entry.states.erase(job == "10" ? 2 : 1);
            settle(batch);
            QCOMPARE(slurm_->next_job, 12 + round);
            QVERIFY((batch.folder().submissions().back().tasks == std::vector{2}));
        }
        for (auto& [job, entry] : slurm_->jobs) entry.states.erase(job == "10" ? 2 : 1);
        const BatchView view = settle(batch);
        QVERIFY(view.tasks[1].verdict.state == TaskState::failed);
        QVERIFY(view.tasks[0].verdict.state == TaskState::waiting);
        QCOMPARE(slurm_->next_job, 11 + kMostLosses);
        // The user may try again, also with another program.
        ClusterBatch again(batch.folder().path(), commands());
        QVERIFY((again.resume(again.settled()) == std::vector{2}));
        QVERIFY(again.poll().tasks[1].verdict.state == TaskState::waiting);
    }

    void progress_ends_the_count_of_losses() {
        std::vector<Submission> made = {{.number = 1, .job = "10", .tasks = {1, 2}, .steps = {0, 0}}};
        const auto again = [&](SubmissionReason reason, int steps) {
            made.push_back({.number = static_cast<int>(made.size()) + 1,
                            .job = "11",
                            .tasks = {2},
                            .reason = reason,
                            .steps = {steps}});
            return count_losses(made, 2);
        };
        QCOMPARE(count_losses(made, 2), 0);
        QCOMPARE(again(SubmissionReason::automatic, 0), 1);
        QCOMPARE(again(SubmissionReason::automatic, 0), 2);
        QCOMPARE(again(SubmissionReason::automatic, 4), 1);
        QCOMPARE(again(SubmissionReason::automatic, 4), 2);
        made.back().job.clear();  // Slurm has not taken it
        QCOMPARE(again(SubmissionReason::automatic, 4), 2);
        QCOMPARE(again(SubmissionReason::resumed, 4), 0);
        QCOMPARE(count_losses(made, 1), 0);
    }

    void a_task_that_is_given_up_waits_for_a_new_submission() {
        ClusterBatch batch = submit(2);
        slurm_->jobs["10"].states.erase(1);
        BatchView view = batch.settled();
        slurm_->refusal = "Requested time limit is invalid";
        QVERIFY_THROWS_EXCEPTION(Error, batch.follow_up(view));
        batch.give_up(view, Error(ErrorCode::bad_usage, "refused"));
        QVERIFY(view.tasks[0].verdict.state == TaskState::failed);
        QVERIFY(view.tasks[1].verdict.state == TaskState::waiting);
        view = batch.poll();
        QVERIFY(view.tasks[0].verdict.state == TaskState::failed);
        QCOMPARE(view.tasks[0].verdict.error->message(), std::string("refused"));
        batch.follow_up(view);
        QCOMPARE(slurm_->num_refused, 1);
        slurm_->refusal.clear();
        ClusterBatch other(batch.folder().path(), commands());
        QVERIFY((other.resume(other.settled()) == std::vector{1}));
        QVERIFY(batch.poll().tasks[0].verdict.state == TaskState::waiting);
    }

    void a_held_task_is_cancelled_before_it_is_submitted_again() {
        ClusterBatch batch = submit(1);
        slurm_->jobs["10"].reason = "launch_failed_requeued_held";
        BatchView view = batch.poll();
        batch.follow_up(view);
        QVERIFY((slurm_->cancelled == std::vector<std::string>{"10_1"}));
        QCOMPARE(slurm_->next_job, 12);
    }

    void a_task_that_another_program_submits_meanwhile_is_not_submitted_twice() {
        ClusterBatch batch = submit(1);
        slurm_->jobs["10"].reason = "launch_failed_requeued_held";
        BatchView view = batch.poll();
        ClusterBatch other(batch.folder().path(), commands());
        const BatchView seen = other.poll();
        slurm_->at_scancel = [&] { other.resume(seen); };
        batch.follow_up(view);
        QCOMPARE(slurm_->next_job, 12);
        QCOMPARE(batch.folder().submissions().size(), std::size_t{2});
    }

    void a_silent_slurm_changes_nothing() {
        ClusterBatch batch = submit(2);
        slurm_->is_down = true;
        for (int poll = 0; poll < 3 * kPollsUntilLost; ++poll) {
            BatchView view = batch.poll();
            QVERIFY(view.trouble && view.trouble->code() == ErrorCode::engine_lost);
            batch.follow_up(view);
            QCOMPARE(view.count(TaskState::waiting), 2);
        }
        finish(batch, 1, {1, 0}, "video");
        BatchView view = batch.poll();
        batch.follow_up(view);
        QCOMPARE(view.count(TaskState::imported), 1);  // results do not need Slurm
        slurm_->is_down = false;
        QVERIFY(!batch.poll().trouble);
        QCOMPARE(slurm_->next_job, 11);
    }

    /// As on a full storage.
    void tasks_end_even_if_it_cannot_be_noted() {
        ClusterBatch batch = submit(3);
        std::filesystem::create_directory(batch.folder().path() / "cancelled.json");
        QVERIFY_EXCEPTION_THROWN(batch.cancel({2}), Error);
        QVERIFY((slurm_->cancelled == std::vector<std::string>{"10_2"}));
    }

    void cancelled_tasks_can_be_resumed() {
        ClusterBatch batch = submit(3);
        batch.cancel({1, 3});
        QVERIFY((slurm_->cancelled == std::vector<std::string>{"10_1", "10_3"}));
        slurm_->jobs["10"].states = {{2, "PENDING"}};
        BatchView view = settle(batch);
        QCOMPARE(view.count(TaskState::cancelled), 2);
        QCOMPARE(slurm_->next_job, 11);
        QVERIFY((batch.resumable(view) == std::vector{1, 3}));
        QVERIFY((batch.resume(view) == std::vector{1, 3}));
        view = batch.poll();
        QCOMPARE(view.count(TaskState::waiting), 3);
        finish(batch, 3, {2, 0}, "video");
        QVERIFY(batch.poll().tasks[2].verdict.state == TaskState::finished);
    }

    void a_cancelled_task_that_cannot_be_submitted_stays_cancelled() {
        ClusterBatch batch = submit(2);
        batch.cancel({1});
        slurm_->jobs["10"].states = {{2, "PENDING"}};
        BatchView view = settle(batch);
        slurm_->refusal = "sbatch: error: QOSMaxSubmitJobPerUserLimit";
        QVERIFY_THROWS_EXCEPTION(Error, batch.resume(view));
        slurm_->refusal.clear();
        view = settle(batch);
        QVERIFY(view.tasks[0].verdict.state == TaskState::cancelled);
        QCOMPARE(slurm_->next_job, 11);
        QVERIFY((batch.resume(view) == std::vector{1}));
    }

    void a_task_whose_submission_was_not_answered_is_submitted_once() {
        ClusterBatch batch = submit(1);
        slurm_->jobs.clear();
        slurm_->loses_answers = true;
        BatchView view;
        for (int poll = 0; poll < kPollsUntilLost; ++poll) view = batch.poll();
        QVERIFY(view.tasks[0].verdict.state == TaskState::lost);
        QVERIFY_THROWS_EXCEPTION(Error, batch.follow_up(view));
        view = settle(batch);
        QVERIFY(view.tasks[0].verdict.state == TaskState::waiting);
        QCOMPARE(batch.folder().submission(2).job, std::string("11"));
        QCOMPARE(slurm_->next_job, 12);
    }

    /// The status of an earlier submission must not decide about the new one.
    void a_resumed_task_forgets_its_failure() {
        ClusterBatch batch = submit(1);
        AttemptStatus failed{.state = AttemptState::failed, .step = 3};
        failed.error = Error(ErrorCode::out_of_memory, "too small");
        report(batch, 1, {1, 0}, failed);
        slurm_->jobs["10"].states[1] = "FAILED";
        BatchView view = settle(batch);
        QCOMPARE(view.count(TaskState::failed), 1);
        batch.resume(view);
        QCOMPARE(batch.folder().submissions().back().steps, std::vector{3});
        QCOMPARE(batch.poll().count(TaskState::waiting), 1);
    }

    void a_result_that_cannot_be_imported_stays() {
        write_file(dir() / "home" / "1.mp4", "mine");
        ClusterBatch batch = submit(1);
        finish(batch, 1, {1, 0}, "video");
        BatchView view = batch.poll();
        QCOMPARE(batch.follow_up(view).size(), std::size_t{1});
        QVERIFY(batch.poll().is_over());
        QVERIFY(batch.folder().task_folder(1).has_result());
        fs::remove(dir() / "home" / "1.mp4");
        ClusterBatch again(batch.folder().path(), commands());
        view = again.poll();
        QVERIFY(again.follow_up(view).empty());
        QCOMPARE(view.count(TaskState::imported), 1);
    }

    void a_damaged_result_is_made_again() {
        ClusterBatch batch = submit(1);
        finish(batch, 1, {1, 0}, "video");
        slurm_->jobs.clear();
        write_file(batch.folder().task_folder(1).result() / "video.mp4", "vidEo");
        BatchView view = batch.poll();
        QCOMPARE(batch.follow_up(view).size(), std::size_t{1});
        for (int poll = 0; poll < 2 * kPollsUntilLost; ++poll) QCOMPARE(settle(batch).count(TaskState::failed), 1);
        QCOMPARE(slurm_->next_job, 11);  // only the user submits it again
        ClusterBatch again(batch.folder().path(), commands());
        view = again.settled();
        QVERIFY(view.is_over());  // so `cluster remove --discard` deletes it
        QVERIFY(view.tasks[0].verdict.error->code() == ErrorCode::file_changed);
        QVERIFY((again.resume(view) == std::vector{1}));
        QCOMPARE(batch.poll().count(TaskState::waiting), 1);
        finish(again, 1, {2, 0}, "video");
        slurm_->jobs.clear();
        view = batch.poll();
        QVERIFY(batch.follow_up(view).empty());
        QCOMPARE(contents_of(dir() / "home" / "1.mp4"), std::string("video"));
    }

    /// A browser names its downloads like this.
    void files_of_the_user_with_names_of_parts_stay() {
        std::vector<VideoTask> wanted = tasks(1);
        const fs::path log = dir() / "home" / "1.jsonl";
        wanted[0].files.push_back({kNumericLog, log});
        const std::vector<fs::path> mine{dir() / "home" / "1.mp4.part", dir() / "home" / "1.jsonl.part"};
        for (const fs::path& file : mine) write_file(file, "mine");
        ClusterBatch batch = ClusterBatch::submit(dir(), {.program = "/x"}, wanted, commands());
        QVERIFY(batch.take_control() == Control::taken);
        slurm_->jobs["10"].states[1] = "RUNNING";
        report(batch, 1, {1, 0}, {.state = AttemptState::running, .node = "n1", .step = 2, .num_steps = 8});
        write_file(batch.folder().task_folder(1).outputs({1, 0}) / kNumericLog, "1\n");
        batch.copy_live_logs(batch.poll());
        const fs::path copy = fs::path(log) += "." + batch.folder().id() + ".part";
        QCOMPARE(contents_of(copy), std::string("1\n"));
        finish(batch, 1, {1, 0}, "video");
        slurm_->jobs.clear();
        BatchView view = batch.poll();
        QVERIFY(batch.follow_up(view).empty());
        QCOMPARE(contents_of(log), std::string("1\n"));
        QVERIFY(!fs::exists(copy));
        for (const fs::path& file : mine) QCOMPARE(contents_of(file), std::string("mine"));
    }

    void copies_of_logs_are_removed_with_the_batch() {
        std::vector<VideoTask> wanted = tasks(1);
        const fs::path log = dir() / "home" / "1.jsonl";
        wanted[0].files.push_back({kNumericLog, log});
        fs::create_directories(log.parent_path());
        ClusterBatch batch = ClusterBatch::submit(dir(), {.program = "/x"}, wanted, commands());
        slurm_->jobs["10"].states[1] = "RUNNING";
        report(batch, 1, {1, 0}, {.state = AttemptState::running, .node = "n1", .step = 2, .num_steps = 8});
        write_file(batch.folder().task_folder(1).outputs({1, 0}) / kNumericLog, "1\n");
        batch.copy_live_logs(batch.poll());
        const fs::path copy = fs::path(log) += "." + batch.folder().id() + ".part";
        QVERIFY(fs::exists(copy));
        batch.remove();
        QVERIFY(!fs::exists(copy));
        QVERIFY(!fs::exists(batch.folder().path()));
    }

    void a_poll_reads_the_options_only_when_they_changed() {
        ClusterBatch batch = submit(1);
        batch.poll();
        const fs::path file = batch.folder().path() / "batch.json";
        const auto time = fs::last_write_time(file);
        const auto bytes = fs::file_size(file);
        std::ofstream(file, std::ios::binary) << std::string(bytes, 'x');  // the same file, size and time
        fs::last_write_time(file, time);
        QCOMPARE(batch.poll().count(TaskState::waiting), 1);
        fs::last_write_time(file, time + std::chrono::seconds(1));
        QVERIFY_THROWS_EXCEPTION(Error, batch.poll());
        QVERIFY_THROWS_EXCEPTION(Error, batch.poll());  // what could not be read is read again
    }

    void a_poll_sees_options_that_another_program_changed() {
        ClusterBatch batch = submit(1);
        batch.poll();
        SlurmOptions options = batch.folder().options();
        options.partition = "long";
        BatchFolder(batch.folder().path()).change_options(options);
        batch.poll();
        QCOMPARE(batch.folder().options().partition, std::string("long"));
    }
};

QTEST_GUILESS_MAIN(TestClusterBatch)
#include "test_cluster_batch.moc"
