#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinescope::cluster {

/// The longest output of a command of Slurm. A user with 20,000 jobs is far above the limits of most clusters; squeue
/// prints up to 10 KB for each.
inline constexpr std::size_t kMostOutputBytes = std::size_t{256} << 20;

/// One task of an array as Slurm reports it.
struct SlurmTask {
    std::string state;        ///< "PENDING", "RUNNING", "NODE_FAIL" ...
    std::string reason = {};  ///< "Resources", "BeginTime", "JobLaunchFailure" ...; empty: none
    std::string nodes = {};   ///< "n1"
    int exit_code = 0;        ///< of the script; valid if signal is 0
    int signal = 0;           ///< signal that ended the script
    bool operator==(const SlurmTask&) const = default;
};

/// What a state means for this task's process.
enum class SlurmPhase {
    pending,  ///< has not started, or will start again
    running,  ///< may have a process
    ended
};
SlurmPhase phase_of(std::string_view state);

/// Returns the indices of an array's text, e.g. "1,5-9:2%4" as {1, 5, 7, 9}. `is_cut` is set if Slurm shortened the
/// text ("..."). Ignores what it cannot read. Returns at most 100,000 indices.
std::vector<int> array_indices(std::string_view text, bool& is_cut);

/// The jobs of one batch in the answer of squeue.
class SqueueAnswer {
public:
    /// Returns a task, or nullopt if Slurm does not know it (any more). A job is identified by the number of its array.
    std::optional<SlurmTask> find(const std::string& job, int index) const;
    /// Returns the number of the job with this name, or an empty string.
    std::string job_named(const std::string& name) const;
    /// Returns the numbers of all jobs whose name starts with `prefix`.
    std::vector<std::string> jobs_with_prefix(const std::string& prefix) const;

private:
    friend SqueueAnswer parse_squeue(std::string_view text, std::string_view name_prefix);
    std::map<std::pair<std::string, int>, SlurmTask> tasks_;
    std::map<std::string, SlurmTask> rest_;  ///< of an array whose list of pending tasks was cut
    std::map<std::string, std::string> jobs_by_name_;
};

/// Parses the output of `squeue --json`. Keeps only jobs whose name starts with `name_prefix`. Reads the formats of
/// Slurm 22.05 and later: numbers may be objects {"set", "number"}, states may be lists; fields may be missing. Throws
/// JsonError for text that is not such a document.
SqueueAnswer parse_squeue(std::string_view text, std::string_view name_prefix);

}  // namespace kinescope::cluster
