#pragma once

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "core/api/job.h"
#include "core/api/run_event.h"
#include "core/cluster/cluster_batch.h"

namespace kinescope::cluster {

/// What the user wants for a job.
enum class Wish {
    run,
    resume,  ///< submitted again, after its last saved step
    decode,  ///< submitted again, which decodes its last saved step
    pause,
    cancel,
    again,  ///< from the beginning, with the request as it is now
    remove
};

/// A job of a queue on a cluster: a batch of one video.
struct ClusterJob {
    Job job;
    std::filesystem::path folder = {};  ///< of its batch; empty: there is none
    Wish wish = Wish::run;
    bool operator==(const ClusterJob& other) const {
        return job.state == other.job.state && job.step == other.job.step && job.num_steps == other.job.num_steps &&
               job.waits_for == other.job.waits_for && folder == other.folder && wish == other.wish;
    }
};

/// The jobs as they are saved.
struct ClusterJobs {
    JobId last_id = 0;
    std::vector<ClusterJob> jobs;
};

/// Reads the saved jobs; empty if there is no file. Throws Error: unsupported (of a later version), bad_config,
/// file_unreadable.
ClusterJobs read_cluster_jobs(const std::filesystem::path& file);
/// Throws Error(output_not_writable or disk_full).
void save_cluster_jobs(const std::filesystem::path& file, const ClusterJobs& jobs);

/// Whether Slurm, or its queue here, still has to do something for a job.
bool is_open(const ClusterJob& job);

/// Brings a job up to date with what a poll found, and returns the last event of its run, if it has ended. `result`: of
/// a task whose outputs have their final names. Pure.
std::optional<RunEvent> follow(ClusterJob& job, const TaskView& task, const std::optional<RunResult>& result);

/// Gives an event of a node the paths of the queue's request. Pure.
RunEvent with_own_paths(RunEvent event, const VideoRequest& own);

}  // namespace kinescope::cluster
