#pragma once

#include <vector>

#include "app/cli/commands.h"

namespace kinescope::cli {

/// Submits the valid requests to a Slurm cluster, one task each, and waits for their end if the arguments say so.
/// Returns the exit code of a local batch, or 0 after the submission.
int submit_to_cluster(const Session& session, const GenerateArguments& arguments, Engine& engine,
                      const std::vector<ReadRequest>& requests);

}  // namespace kinescope::cli
