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
/// Returns what the arguments ask Slurm for; memory_bytes is 0 if they leave it open. Throws Error(bad_usage).
cluster::SlurmOptions slurm_options_of(const SubmitArguments& arguments, const Session& session);

}  // namespace kinescope::cli
