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
/// Returns the most main memory that a request needs on a node without a graphics card. Throws what ModelCatalog::plan
/// throws.
std::int64_t most_planned_memory(Engine& engine, const std::vector<VideoRequest>& requests);
/// Throws Error(bad_usage) for less memory than planned. A task with a graphics card may need less than the plan.
void require_planned_memory(const cluster::SlurmOptions& options, std::int64_t planned_bytes);

}  // namespace kinescope::cli
