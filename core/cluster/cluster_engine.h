#pragma once

#include <memory>
#include <optional>

#include "core/api/engine.h"
#include "core/cluster/cluster_job_queue.h"

namespace kinescope::cluster {

/// Plans the main memory of tasks. Requests that differ only in texts, seeds and outputs are planned once. Not
/// thread-safe.
class MemoryPlanner {
public:
    explicit MemoryPlanner(Engine& engine) : engine_(engine) {}
    /// Returns the peak on a node without a graphics card. Throws what ModelCatalog::plan throws, and the errors of
    /// missing weights and of a missing tokenizer.
    std::int64_t planned_bytes(VideoRequest request);
    /// The same, but nullopt if it is not known here: only the nodes have a file of the request, or the memory limit
    /// that it sets is too small for a node without a graphics card.
    std::optional<std::int64_t> known_bytes(const VideoRequest& request);
    /// Returns the main memory that the task of a request asks for: `wanted`, or for 0 as much as planned. Throws the
    /// errors of requests with which a task would fail.
    std::int64_t bytes_for(const VideoRequest& request, std::int64_t wanted);

private:
    Engine& engine_;
    std::map<std::string, std::int64_t> planned_;
};

/// Returns the frames of a result for its last preview; none of a large one, of which the window reads fewer and
/// smaller frames by itself. Throws the errors of VideoFiles.
std::vector<FramePtr> frames_to_show(VideoFiles& videos, const std::filesystem::path& video);

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
