#include "core/cluster/cluster_batch.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/api/byte_size.h"
#include "core/base/log_line.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

/// Returns the place of a task in a submission, or nullopt.
std::optional<std::size_t> place_in(const Submission& submission, int task) {
    const auto found = std::ranges::find(submission.tasks, task);
    if (found == submission.tasks.end()) return std::nullopt;
    return static_cast<std::size_t>(found - submission.tasks.begin());
}

/// Returns the last submission that contains the task, or nullptr.
const Submission* last_of(const std::vector<Submission>& submissions, int task) {
    const auto found = std::find_if(submissions.rbegin(), submissions.rend(),
                                    [task](const Submission& one) { return place_in(one, task).has_value(); });
    return found == submissions.rend() ? nullptr : &*found;
}

AskedFor asked_for(const SlurmOptions& options) {
    return {.program = options.program.string(),
            .memory = options.memory_bytes > 0 ? format_byte_size(options.memory_bytes) : "",
            .time_limit = options.time_limit};
}

/// Returns true if Slurm may have taken a submission although sbatch has failed.
bool may_be_taken(const std::exception& failure) {
    const auto* error = dynamic_cast<const Error*>(&failure);
    return error != nullptr && error->arguments().contains(kUnanswered);
}

int number_of(const Submission* submission) {
    return submission == nullptr ? 0 : submission->number;
}

double seconds_left_of(const TaskView& task) {
    if (!task.status) return 0;
    const AttemptStatus& status = *task.status;
    const double of_steps = status.step_seconds * std::max(0, status.num_steps - status.step);
    return std::max(status.seconds_left, of_steps);
}

}  // namespace

int BatchView::count(TaskState state) const {
    return static_cast<int>(std::ranges::count(tasks, state, [](const TaskView& task) { return task.verdict.state; }));
}

bool BatchView::is_over() const {
    return std::ranges::all_of(tasks, [](const TaskView& task) { return cluster::is_over(task.verdict.state); });
}

int count_losses(const std::vector<Submission>& submissions, int task) {
    int losses = 0;
    int steps_before = 0;
    bool was_taken = true;
    for (const Submission& submission : submissions) {
        const auto place = place_in(submission, task);
        if (!place) continue;
        const int steps = submission.steps[*place];
        if (submission.reason != SubmissionReason::automatic)
            losses = 0;
        else if (was_taken)
            losses = steps > steps_before ? 1 : losses + 1;
        steps_before = steps;
        was_taken = !submission.job.empty();
    }
    return losses;
}

ClusterBatch ClusterBatch::submit(const fs::path& shared, const SlurmOptions& options,
                                  const std::vector<VideoTask>& tasks, RunCommand run) {
    ClusterBatch batch(BatchFolder::create(shared, options, tasks).path(), std::move(run));
    try {
        batch.submit_all();
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(batch.folder_.path(), ignored);
        throw;
    }
    return batch;
}

void ClusterBatch::submit_all() {
    std::vector<int> numbers;
    for (int number = 1; number <= folder_.num_tasks(); ++number) numbers.push_back(number);
    try {
        submit_tasks(numbers, SubmissionReason::first);
    } catch (...) {
        // Arrays that were accepted before the refused one end without a trace.
        std::vector<std::string> jobs;
        for (const Submission& submission : submissions_)
            if (!submission.job.empty()) jobs.push_back(submission.job);
        try {
            if (!jobs.empty()) cancel_jobs(run_, jobs);
        } catch (const Error& error) {
            log_warning(error.message());
        }
        throw;
    }
}

ClusterBatch::ClusterBatch(const fs::path& folder, RunCommand run)
    : folder_(folder), run_(std::move(run)), tasks_(folder_.tasks()), submissions_(folder_.submissions()) {}

Control ClusterBatch::take_control() {
    if (control_.is_open()) return Control::taken;
    AppendFile lock(folder_.path() / "control.lock");
    try {
        lock.reserve();
    } catch (const Error&) {
        return Control::elsewhere;
    }
    control_ = std::move(lock);
    return Control::taken;
}

void ClusterBatch::submit_tasks(std::vector<int> tasks, SubmissionReason reason) {
    const std::vector<Submission> seen = std::exchange(submissions_, folder_.submissions());
    // Another program may have submitted some of them meanwhile.
    std::erase_if(tasks,
                  [&](int task) { return number_of(last_of(submissions_, task)) > number_of(last_of(seen, task)); });
    for (std::size_t first = 0; first < tasks.size(); first += kLargestArray) {
        const auto last = std::min(tasks.size(), first + kLargestArray);
        Submission submission{.number = submissions_.empty() ? 1 : submissions_.back().number + 1,
                              .job = {},
                              .tasks = {tasks.begin() + static_cast<std::ptrdiff_t>(first),
                                        tasks.begin() + static_cast<std::ptrdiff_t>(last)},
                              .reason = reason};
        for (const int task : submission.tasks) submission.steps.push_back(finished_steps(task));
        // Written before sbatch is called: a task that starts at once must find it, and if this program is killed now,
        // the job is found by its name.
        folder_.add(submission);
        try {
            submission.job = submit_array(run_, folder_.options(),
                                          {.name = folder_.job_name(submission.number),
                                           .num_tasks = static_cast<int>(submission.tasks.size()),
                                           .script = folder_.script(submission.number)});
        } catch (const std::exception& error) {
            end_failed_submission(submission, error);
            throw;
        }
        submissions_.push_back(submission);
        folder_.write(submission);
        for (const int task : submission.tasks) polls_without_process_.erase(task);
    }
}

/// Slurm may have taken a submission whose answer was lost. A second one would only repeat it, so it stays: its job is
/// found by its name, or its tasks count as lost.
void ClusterBatch::end_failed_submission(const Submission& submission, const std::exception& error) {
    if (!may_be_taken(error)) return folder_.remove(submission);
    submissions_.push_back(submission);
    for (const int task : submission.tasks) polls_without_process_.erase(task);
}

void ClusterBatch::find_unnumbered_jobs(const SqueueAnswer& answer) {
    for (Submission& submission : submissions_) {
        if (!submission.job.empty()) continue;
        submission.job = answer.job_named(folder_.job_name(submission.number));
        if (!submission.job.empty() && control_.is_open()) folder_.write(submission);
    }
}

int ClusterBatch::finished_steps(int number) const {
    int steps = 0;
    const TaskFolder task = folder_.task_folder(number);
    for (const AttemptKey& key : task.attempts())
        if (const auto status = task.status(key)) steps = std::max(steps, status->step);
    return steps;
}

BatchView ClusterBatch::poll() {
    // Slurm is asked first: if it says that a task has ended, then its files are final.
    std::optional<SqueueAnswer> answer;
    std::optional<Error> trouble;
    try {
        answer = ask_queue(run_, folder_.job_name_prefix());
    } catch (const Error& error) {
        trouble = error;
    }
    BatchView view = poll(answer ? &*answer : nullptr);
    view.trouble = trouble;
    if (!trouble && !view.is_over()) view.trouble = full_storage(folder_.path());
    return view;
}

BatchView ClusterBatch::poll(const SqueueAnswer* answer) {
    BatchView view;
    folder_.update();  // another program may have changed the options
    submissions_ = folder_.submissions();
    if (answer) find_unnumbered_jobs(*answer);
    const auto cancelled = folder_.cancelled();
    cancelled_ = {cancelled.begin(), cancelled.end()};
    std::vector<TaskPace> paces;
    for (int number = 1; number <= folder_.num_tasks(); ++number) {
        view.tasks.push_back(look_at(number, answer));
        paces.push_back({view.tasks.back().verdict.state, seconds_left_of(view.tasks.back())});
    }
    view.seconds_left = estimate_seconds_left(paces, seconds_per_task(view));
    return view;
}

BatchView ClusterBatch::settled() {
    for (int i = 1; i < kPollsUntilLost; ++i) poll();
    return poll();
}

TaskView ClusterBatch::look_at(int number, const SqueueAnswer* answer) {
    TaskView view{.number = number, .verdict = {}, .status = {}, .node = {}, .output = {}};
    if (!task(number).files.empty()) view.output = task(number).files.front().target;
    if (imported_.contains(number)) {
        view.verdict.state = TaskState::imported;
        return view;
    }
    const TaskFacts facts = facts_of(number, answer, view);
    view.verdict = judge(facts, asked_for(folder_.options()));
    if (view.verdict.state == TaskState::imported) imported_.insert(number);
    apply_given_up(view);
    // Without a result, another program has submitted the task again.
    if (!facts.has_result && !facts.has_damaged_result) import_errors_.erase(number);
    if (const auto error = import_errors_.find(number); error != import_errors_.end())
        view.verdict = {.state = TaskState::failed, .error = error->second};
    return view;
}

void ClusterBatch::apply_given_up(TaskView& view) const {
    const auto found = given_up_.find(view.number);
    if (found == given_up_.end() || view.verdict.state != TaskState::lost) return;
    if (found->second.submission == number_of(last_of(submissions_, view.number)))
        view.verdict = {.state = TaskState::failed, .error = found->second.error};
}

TaskFacts ClusterBatch::facts_of(int number, const SqueueAnswer* answer, TaskView& view) {
    const TaskFolder task = folder_.task_folder(number);
    const Submission* submission = last_of(submissions_, number);
    TaskFacts facts{.is_cancelled = cancelled_.contains(number), .num_losses = count_losses(submissions_, number)};
    std::error_code ignored;
    if (fs::exists(task.path(), ignored)) {
        facts.has_result = task.has_result();
        facts.has_damaged_result = !facts.has_result && task.has_damaged_result();
        facts.is_imported = fs::exists(task.path() / "imported.json", ignored);
        const auto keys = task.attempts();
        if (!keys.empty()) view.status = task.status(keys.back());
        if (!keys.empty() && submission != nullptr && keys.back().submission == submission->number)
            facts.status = view.status;
    }
    if (submission != nullptr) {
        const std::size_t place = *place_in(*submission, number);
        facts.steps_before = submission->steps[place];
        if (answer != nullptr) {
            const auto slurm = answer->find(submission->job, static_cast<int>(place) + 1);
            facts.answer = slurm ? QueueAnswer::known : QueueAnswer::absent;
            facts.slurm = slurm.value_or(SlurmTask());
        }
    }
    const bool has_ended = facts.answer == QueueAnswer::absent ||
                           (facts.answer == QueueAnswer::known && phase_of(facts.slurm.state) == SlurmPhase::ended);
    if (facts.answer != QueueAnswer::none)
        polls_without_process_[number] = has_ended ? polls_without_process_[number] + 1 : 0;
    facts.polls_without_process = polls_without_process_[number];
    view.node = facts.slurm.nodes.empty() && view.status ? view.status->node : facts.slurm.nodes;
    return facts;
}

double ClusterBatch::seconds_per_task(const BatchView& view) const {
    double seconds = 0;
    int count = 0;
    constexpr int kSample = 20;
    for (auto task = view.tasks.rbegin(); task != view.tasks.rend() && count < kSample; ++task) {
        if (task->verdict.state != TaskState::imported && task->verdict.state != TaskState::finished) continue;
        try {
            seconds += result(task->number).seconds;
            ++count;
        } catch (const Error&) {
            continue;
        }
    }
    return count == 0 ? 0 : seconds / count;
}

std::map<int, Error> ClusterBatch::follow_up(BatchView& view) {
    std::vector<int> lost;
    std::vector<std::string> held;
    for (TaskView& task : view.tasks) {
        if (task.verdict.state == TaskState::lost) {
            lost.push_back(task.number);
            const Submission* submission = last_of(submissions_, task.number);
            if (submission != nullptr && !submission->job.empty())
                held.push_back(submission->job + "_" + std::to_string(*place_in(*submission, task.number) + 1));
        }
        if (task.verdict.state != TaskState::finished) continue;
        remove_live_copy(task.number);
        try {
            for (const std::string& warning : import_result(folder_.task_folder(task.number), this->task(task.number)))
                log_warning("video " + std::to_string(task.number) + ": " + warning);
            task.verdict = {.state = TaskState::imported};
            imported_.insert(task.number);
            import_errors_.erase(task.number);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::file_changed) folder_.task_folder(task.number).set_result_aside();
            import_errors_.insert_or_assign(task.number, error);
            task.verdict = {.state = TaskState::failed, .error = error};
        }
    }
    if (!lost.empty()) {
        cancel_jobs(run_, held);  // those that Slurm still lists
        const std::size_t before = submissions_.size();
        try {
            submit_tasks(lost, SubmissionReason::automatic);
        } catch (const Error&) {
            refused_ = lost;  // except those in an array that was accepted
            for (std::size_t i = before; i < submissions_.size(); ++i)
                for (const int accepted : submissions_[i].tasks) std::erase(refused_, accepted);
            throw;
        }
    }
    return import_errors_;
}

void ClusterBatch::give_up(BatchView& view, const Error& error) {
    for (TaskView& task : view.tasks) {
        if (task.verdict.state != TaskState::lost || std::ranges::count(refused_, task.number) == 0) continue;
        given_up_.insert_or_assign(task.number, GivenUp{number_of(last_of(submissions_, task.number)), error});
        apply_given_up(task);
    }
}

std::optional<fs::path> ClusterBatch::live_copy(int number) const {
    const auto& files = task(number).files;
    const auto log = std::ranges::find(files, kNumericLog, &WantedFile::name);
    if (log == files.end()) return std::nullopt;
    return fs::path(log->target) += "." + folder_.id() + ".part";
}

void ClusterBatch::remove_live_copy(int number) const {
    std::error_code ignored;
    if (const auto copy = live_copy(number)) fs::remove(*copy, ignored);
}

void ClusterBatch::remove() {
    for (int number = 1; number <= folder_.num_tasks(); ++number) {
        try {
            remove_live_copy(number);
        } catch (const Error&) {
            continue;  // the file of the task is damaged, so its copy has no known name
        }
    }
    std::error_code ignored;
    fs::remove_all(folder_.path(), ignored);
}

void ClusterBatch::copy_live_logs(const BatchView& view) {
    for (const TaskView& shown : view.tasks) {
        if (shown.verdict.state != TaskState::running) continue;
        const auto copy = live_copy(shown.number);
        const TaskFolder folder = folder_.task_folder(shown.number);
        const auto keys = folder.attempts();
        if (!copy || keys.empty()) continue;
        live_logs_[shown.number].update(folder.outputs(keys.back()) / kNumericLog, *copy);
    }
}

void ClusterBatch::note_cancelled(const std::vector<int>& tasks) {
    auto all = folder_.cancelled();
    all.insert(all.end(), tasks.begin(), tasks.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    folder_.write_cancelled(all);
}

/// Tasks that could not be submitted after this submission stay cancelled. Without the note, they would count as ended
/// by somebody else.
void ClusterBatch::note_cancelled_again(const std::vector<int>& tasks, int last_submission) {
    std::vector<int> left;
    std::ranges::copy_if(tasks, std::back_inserter(left),
                         [&](int task) { return number_of(last_of(submissions_, task)) <= last_submission; });
    try {
        note_cancelled(left);
    } catch (const Error& error) {
        log_warning(error.message());
    }
}

void ClusterBatch::cancel(const std::vector<int>& tasks) {
    // A full storage must not keep tasks running. Tasks without the note count as ended by somebody else.
    std::exception_ptr not_noted;
    try {
        note_cancelled(tasks);
    } catch (const Error&) {
        not_noted = std::current_exception();
    }
    std::vector<std::string> jobs;
    for (const Submission& submission : folder_.submissions()) {
        if (submission.job.empty()) continue;
        for (std::size_t place = 0; place < submission.tasks.size(); ++place)
            if (std::ranges::count(tasks, submission.tasks[place]) > 0)
                jobs.push_back(submission.job + "_" + std::to_string(place + 1));
    }
    if (!jobs.empty()) cancel_jobs(run_, jobs);
    if (not_noted) std::rethrow_exception(not_noted);
}

std::vector<int> ClusterBatch::resumable(const BatchView& view) const {
    std::vector<int> tasks;
    for (const TaskView& task : view.tasks)
        if (can_resume(task.verdict.state) && !folder_.task_folder(task.number).has_result())
            tasks.push_back(task.number);
    return tasks;
}

std::vector<int> ClusterBatch::resume(const BatchView& view) {
    import_errors_.clear();
    const std::vector<int> again = resumable(view);
    auto cancelled = folder_.cancelled();
    std::vector<int> resumed;
    std::ranges::copy_if(cancelled, std::back_inserter(resumed),
                         [&](int task) { return std::ranges::count(again, task) > 0; });
    std::erase_if(cancelled, [&](int task) { return std::ranges::count(again, task) > 0; });
    folder_.write_cancelled(cancelled);
    const int last = submissions_.empty() ? 0 : submissions_.back().number;
    try {
        if (!again.empty()) submit_tasks(again, SubmissionReason::resumed);
    } catch (const std::exception&) {
        note_cancelled_again(resumed, last);
        throw;
    }
    for (const int task : again) folder_.task_folder(task).remove_damaged_result();
    return again;
}

TaskResult ClusterBatch::result(int number) const {
    return read_result(folder_.task_folder(number), task(number));
}

}  // namespace kinescope::cluster
