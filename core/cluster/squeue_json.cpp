#include "core/cluster/squeue_json.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/json.h"

namespace kinescope::cluster {

namespace {

/// A job has about 150 values.
constexpr JsonLimits kLimits{.bytes = kMostOutputBytes, .depth = 32, .values = 40'000'000};
constexpr std::size_t kMostIndices = 100'000;

/// Returns a number in one of Slurm's forms: 7, "7", or {"set": true, "infinite": false, "number": 7}.
std::optional<std::int64_t> number_at(const Json& job, const char* key) {
    const auto found = job.find(key);
    if (found == job.end()) return std::nullopt;
    if (found->is_number_integer()) return found->get<std::int64_t>();
    if (found->is_string()) {
        const auto& text = found->get_ref<const std::string&>();
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size()) return number;
        return std::nullopt;
    }
    if (!found->is_object()) return std::nullopt;
    const auto is_set = found->find("set");
    if (is_set != found->end() && is_set->is_boolean() && !is_set->get<bool>()) return std::nullopt;
    return number_at(*found, "number");
}

/// Returns a text, or the first text of a list.
std::string text_at(const Json& job, const char* key) {
    const auto found = job.find(key);
    if (found == job.end()) return {};
    if (found->is_string()) return found->get<std::string>();
    if (found->is_array() && !found->empty() && found->front().is_string()) return found->front().get<std::string>();
    return {};
}

/// Reads an exit status: 22.05 reports that of wait(2), later versions an object.
void read_exit_status(const Json& job, SlurmTask& task) {
    const auto found = job.find("exit_code");
    if (found == job.end()) return;
    if (found->is_object() && found->contains("return_code")) {
        task.exit_code = static_cast<int>(number_at(*found, "return_code").value_or(0));
        const auto signal = found->find("signal");
        if (signal != found->end() && signal->is_object())
            task.signal =
                static_cast<int>(number_at(*signal, "id").value_or(number_at(*signal, "signal_id").value_or(0)));
        return;
    }
    const auto status = number_at(job, "exit_code").value_or(0);
    task.exit_code = static_cast<int>(status >> 8 & 0xFF);
    task.signal = static_cast<int>(status & 0x7F);
}

SlurmTask task_from(const Json& job) {
    SlurmTask task{.state = text_at(job, "job_state"), .reason = text_at(job, "state_reason"), .nodes = {}};
    if (task.reason == "None") task.reason.clear();
    task.nodes = text_at(job, "nodes");
    if (task.nodes.empty()) task.nodes = text_at(job, "batch_host");
    read_exit_status(job, task);
    return task;
}

/// Returns the number of the array, or that of a job without an array. 0: none.
std::int64_t array_of(const Json& job) {
    const auto array = number_at(job, "array_job_id").value_or(0);
    return array > 0 ? array : number_at(job, "job_id").value_or(0);
}

int read_number(std::string_view& text) {
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return -1;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

}  // namespace

SlurmPhase phase_of(std::string_view state) {
    static constexpr std::array kPending = {"PENDING",      "REQUEUED",     "REQUEUE_FED",
                                            "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"};
    static constexpr std::array kRunning = {"RUNNING",   "COMPLETING", "CONFIGURING", "SUSPENDED",    "STOPPED",
                                            "SIGNALING", "STAGE_OUT",  "RESIZING",    "POWER_UP_NODE"};
    if (std::ranges::find(kPending, state) != kPending.end()) return SlurmPhase::pending;
    if (std::ranges::find(kRunning, state) != kRunning.end()) return SlurmPhase::running;
    return SlurmPhase::ended;
}

std::vector<int> array_indices(std::string_view text, bool& is_cut) {
    std::vector<int> indices;
    is_cut = text.find("...") != std::string_view::npos;
    if (!text.empty() && text.front() == '[') text.remove_prefix(1);
    while (!text.empty()) {
        const int first = read_number(text);
        if (first < 0) break;
        int last = first;
        int step = 1;
        if (text.starts_with("-")) {
            text.remove_prefix(1);
            last = read_number(text);
        }
        if (text.starts_with(":")) {
            text.remove_prefix(1);
            step = std::max(1, read_number(text));
        }
        for (std::int64_t index = first; index <= last && indices.size() < kMostIndices; index += step)
            indices.push_back(static_cast<int>(index));
        if (!text.starts_with(",")) break;
        text.remove_prefix(1);
    }
    return indices;
}

std::optional<SlurmTask> SqueueAnswer::find(const std::string& job, int index) const {
    if (const auto found = tasks_.find({job, index}); found != tasks_.end()) return found->second;
    if (const auto found = rest_.find(job); found != rest_.end()) return found->second;
    return std::nullopt;
}

std::string SqueueAnswer::job_named(const std::string& name) const {
    const auto found = jobs_by_name_.find(name);
    return found == jobs_by_name_.end() ? std::string() : found->second;
}

std::vector<std::string> SqueueAnswer::jobs_with_prefix(const std::string& prefix) const {
    std::vector<std::string> jobs;
    for (auto job = jobs_by_name_.lower_bound(prefix); job != jobs_by_name_.end() && job->first.starts_with(prefix);
         ++job)
        jobs.push_back(job->second);
    return jobs;
}

SqueueAnswer parse_squeue(std::string_view text, std::string_view name_prefix) {
    const Json document = parse_json(text, kLimits);
    if (!document.is_object() || !document.contains("jobs") || !document["jobs"].is_array())
        throw JsonError("it contains no list of jobs");
    SqueueAnswer answer;
    std::map<std::pair<std::string, int>, SlurmTask> listed;  // pending tasks that share one entry
    for (const Json& job : document["jobs"]) {
        if (!job.is_object()) continue;
        const std::string name = text_at(job, "name");
        const std::int64_t array = array_of(job);
        if (array == 0 || !name.starts_with(name_prefix)) continue;
        const std::string id = std::to_string(array);
        answer.jobs_by_name_[name] = id;
        const SlurmTask task = task_from(job);
        bool is_cut = false;
        const auto indices = array_indices(text_at(job, "array_task_string"), is_cut);
        for (const int index : indices) listed[{id, index}] = task;
        if (is_cut) answer.rest_[id] = task;
        const auto index = number_at(job, "array_task_id");
        if (index && indices.empty()) answer.tasks_[{id, static_cast<int>(*index)}] = task;
    }
    answer.tasks_.merge(listed);  // an entry of its own is more precise than a list
    return answer;
}

}  // namespace kinescope::cluster
