#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace kinescope::cluster {

/// What one task asks Slurm for.
struct SlurmOptions {
    std::string partition = {};          ///< empty: the cluster's default
    std::string gres = {};               ///< "gpu:1"; empty: none
    std::string time_limit = {};         ///< as for sbatch --time; empty: the partition's default
    std::string account = {};            ///< empty: the user's default
    std::int64_t memory_bytes = 0;       ///< of the main memory; 0: the cluster's default
    int cpus = 0;                        ///< 0: the cluster's default
    int max_running = 0;                 ///< tasks that run at the same time; 0: no limit
    std::filesystem::path program = {};  ///< kinescope-cli as the nodes see it, absolute
    std::vector<std::string> more = {};  ///< further options of sbatch, one word each: "--constraint=a100"
    bool operator==(const SlurmOptions&) const = default;
};

Json to_json(const SlurmOptions& options);
/// Throws JsonError.
SlurmOptions slurm_options_from(const Json& json);

/// Returns the seconds of a time limit in one of sbatch's forms: "90" (minutes), "10:30", "1:30:00", "2-12", "2-12:30",
/// "2-12:30:00". Returns nullopt for other texts, and 0 for "UNLIMITED", "INFINITE" and "-1".
std::optional<std::int64_t> time_limit_seconds(std::string_view text);

/// How long before the time limit a task is told to save its state: a tenth of the limit, 10 to 120 s. A
/// limit of 0, which may be that of the partition, gives 60 s.
int seconds_before_limit(std::int64_t limit_seconds);

/// One call of sbatch.
struct SubmissionFacts {
    std::string name;              ///< of the job, see submission_name
    int num_tasks = 1;             ///< the array's indices are 1 to this number
    std::filesystem::path script;  ///< absolute
};

/// Returns the words of the command, which is started without a shell. Throws Error(bad_usage) for an invalid time
/// limit, and for further options that only Kinescope may set, such as --job-name.
std::vector<std::string> sbatch_command(const SlurmOptions& options, const SubmissionFacts& facts);

}  // namespace kinescope::cluster
