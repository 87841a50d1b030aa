#pragma once

#include <vector>

#include "app/cli/commands.h"

namespace kinescope::cli {

/// Submits the valid requests to a Slurm cluster, one task each, and waits for their end if the arguments say so.
/// Returns the exit code of a local batch, or 0 after the submission.
int submit_to_cluster(const Session& session, const GenerateArguments& arguments, Engine& engine,
                      const std::vector<ReadRequest>& requests);

/// Returns the folder on shared storage that the arguments or the environment name. Throws Error(bad_usage,
/// file_not_found).
std::filesystem::path shared_dir_of(const SubmitArguments& arguments);
/// Returns what the arguments ask Slurm for; memory_bytes is 0 if they leave it open. As for sbatch, a memory without a
/// unit is in MiB. Throws Error(bad_usage).
cluster::SlurmOptions slurm_options_of(const SubmitArguments& arguments, const Session& session);
/// Throws Error(bad_usage) for less memory than a request needs by its plan, and what MemoryPlanner::known_bytes throws
/// for requests with which a task would fail. Tasks with a graphics card may need less memory.
void require_planned_memory(const cluster::SlurmOptions& options, Engine& engine,
                            const std::vector<VideoRequest>& requests);

}  // namespace kinescope::cli
