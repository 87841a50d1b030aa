#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/cluster/slurm_options.h"
#include "core/cluster/squeue_json.h"

namespace kinescope::cluster {

/// The end of a command of Slurm.
struct CommandEnd {
    std::string output;
    std::string errors;
    int exit_code = 0;  ///< -1: ended by a signal, or by this process after the time limit
};

/// Runs a command without a shell, for a minute at most. Programs that it has started may go on. Throws
/// Error(unsupported) if the program is not in $PATH, and Error(engine_lost) if it prints more than kMostOutputBytes.
/// Keeps the first 64 KiB of its error messages.
using RunCommand = std::function<CommandEnd(const std::vector<std::string>& words)>;
CommandEnd run_command(const std::vector<std::string>& words);
/// The same with another time limit.
CommandEnd run_command_within(double seconds, const std::vector<std::string>& words);

/// Argument of an error of options with which the cluster will never take a batch: those that the user has to change,
/// as the command line names them: "--time".
inline constexpr const char* kRefusedOptions = "refused_options";

/// Argument of an error of a command whose answer was lost: the controller may have executed the command.
inline constexpr const char* kUnanswered = "unanswered";

/// Returns what sbatch's refusal means. Pure.
Error refusal(const CommandEnd& end, const SlurmOptions& options);

/// Submits an array. Returns the number of the job. Throws Error: unsupported (there is no sbatch), bad_usage (options
/// that the cluster refuses), engine_lost (the controller does not answer).
std::string submit_array(const RunCommand& run, const SlurmOptions& options, const SubmissionFacts& facts);

/// Asks Slurm whether it would accept an array with a script in `shared`. Throws what submit_array throws, and
/// Error(output_not_writable, disk_full).
void check_submission(const RunCommand& run, const SlurmOptions& options, const std::filesystem::path& shared);

/// Asks for the jobs whose names start with a text. Throws Error(engine_lost) if Slurm does not answer.
SqueueAnswer ask_queue(const RunCommand& run, const std::string& name_prefix);

/// Ends tasks: "17" (all of the job) or "17_3". Throws Error(engine_lost). Jobs that Slurm does not know are ignored.
void cancel_jobs(const RunCommand& run, const std::vector<std::string>& jobs);

}  // namespace kinescope::cluster
