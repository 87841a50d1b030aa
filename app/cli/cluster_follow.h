#pragma once

#include "app/cli/progress.h"
#include "app/cli/session.h"
#include "core/cluster/cluster_batch.h"

namespace kinescope::cli {

struct FollowOptions {
    ProgressKind progress = ProgressKind::automatic;
    double poll_seconds = 5;
};

/// Follows a batch until all of its tasks are over: imports results, submits lost tasks again, prints the names of the
/// videos as they arrive. Ctrl+C and SIGTERM end only this program; the tasks go on. Returns the exit code of a local
/// batch, or 5 if it was stopped.
int follow_batch(const Session& session, cluster::ClusterBatch& batch, const FollowOptions& options);

/// Adds to the hint of a submission that the cluster refuses which options of `cluster resume` have to change. Returns
/// other errors as they are.
Error with_options_to_change(const Error& error);

/// Returns the state of a task as one line for tables: "running, step 3 of 8", "failed: ...".
std::string task_text(const cluster::TaskView& task);
Json task_json(const cluster::TaskView& task);
Json batch_view_json(const cluster::BatchView& view);
/// Returns "12 of 50 done, 2 running, 36 waiting, about 3:20 left".
std::string batch_text(const cluster::BatchView& view);

}  // namespace kinescope::cli
