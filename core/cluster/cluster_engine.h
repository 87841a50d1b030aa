#pragma once

#include <memory>

#include "core/api/engine.h"
#include "core/cluster/cluster_job_queue.h"

namespace kinescope::cluster {

/// Plans the main memory of tasks. Requests that differ only in texts, seeds and outputs are planned once. Not
/// thread-safe.
class MemoryPlanner {
public:
    explicit MemoryPlanner(Engine& engine) : engine_(engine) {}
    /// Returns the peak on a node without a graphics card. Throws what ModelCatalog::plan throws.
    std::int64_t planned_bytes(VideoRequest request);
    /// Returns the main memory that the task of a request asks for. Throws what ModelCatalog::plan throws.
    std::int64_t bytes_for(const VideoRequest& request);

private:
    Engine& engine_;
    std::map<std::string, std::int64_t> planned_;
};

/// Where an engine's jobs run.
struct ClusterPlace {
    std::filesystem::path jobs_file;
    std::filesystem::path shared_dir;
    SlurmOptions options;
    double poll_seconds = 5;
};

/// Returns an engine whose jobs run on a Slurm cluster. Everything else, such as questions about models, is done by
/// `local`. Throws what ClusterJobQueue throws. `observer` must outlive the engine.
std::unique_ptr<Engine> make_cluster_engine(std::unique_ptr<Engine> local, ClusterPlace place, RunObserver& observer);

}  // namespace kinescope::cluster
