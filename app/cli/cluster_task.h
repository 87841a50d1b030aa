#pragma once

#include "app/cli/commands.h"

namespace kinescope::cli {

/// Runs one task of a batch on a node of the cluster, as the batch's script calls it. Takes the lease, continues after
/// the last saved step of an earlier attempt, reports its progress in the shared folder, and publishes the outputs.
int run_cluster_task(const Session& session, const ClusterArguments& arguments);

}  // namespace kinescope::cli
