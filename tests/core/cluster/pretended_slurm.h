#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/cluster/slurm_commands.h"

namespace kinescope::testing {

/// Answers the commands of Slurm from a list of tasks that the test changes.
struct PretendedSlurm {
    struct Entry {
        std::string name;
        std::map<int, std::string> states;  ///< by index; absent: Slurm does not know the task
        std::string reason;
    };
    std::map<std::string, Entry> jobs;
    int next_job = 10;
    std::string refusal;  ///< sbatch fails with this text; empty: it accepts
    int num_refused = 0;
    bool loses_answers = false;  ///< those of sbatch, which accepts nevertheless
    bool is_down = false;        ///< squeue and scancel do not reach the controller
    bool scancel_fails = false;
    std::function<void()> at_scancel = {};
    std::vector<std::string> cancelled;

    cluster::CommandEnd operator()(const std::vector<std::string>& words) {
        if (is_down) return {.output = {}, .errors = "Unable to contact slurm controller", .exit_code = 1};
        if (words[0] == "sbatch") return submit(words);
        if (words[0] == "scancel" && scancel_fails)
            return {.output = {}, .errors = "Unable to contact slurm controller", .exit_code = 1};
        if (words[0] == "scancel") {
            if (at_scancel) at_scancel();
            cancelled.insert(cancelled.end(), words.begin() + 2, words.end());
            return {};
        }
        return {.output = queue().dump(), .errors = {}, .exit_code = 0};
    }

    Json queue() const {
        Json list = Json::array();
        for (const auto& [job, entry] : jobs)
            for (const auto& [index, state] : entry.states)
                list.push_back({{"name", entry.name},
                                {"array_job_id", std::stoi(job)},
                                {"array_task_id", index},
                                {"job_state", state},
                                {"state_reason", entry.reason},
                                {"nodes", "n1"}});
        return {{"jobs", list}};
    }

    cluster::CommandEnd submit(const std::vector<std::string>& words) {
        if (!refusal.empty()) {
            ++num_refused;
            return {.output = {}, .errors = refusal, .exit_code = 1};
        }
        if (words[1] == "--test-only") return {};
        Entry entry;
        int count = 0;
        for (const std::string& word : words) {
            if (word.starts_with("--job-name=")) entry.name = word.substr(11);
            if (word.starts_with("--array=1-")) count = std::stoi(word.substr(10));
        }
        for (int index = 1; index <= count; ++index) entry.states[index] = "PENDING";
        const std::string job = std::to_string(next_job++);
        jobs[job] = entry;
        if (loses_answers)
            return {.output = {},
                    .errors =
                        "sbatch: error: Batch job submission failed: Socket timed out on "
                        "send/recv operation",
                    .exit_code = 1};
        return {.output = job + "\n", .errors = {}, .exit_code = 0};
    }
};

}  // namespace kinescope::testing
