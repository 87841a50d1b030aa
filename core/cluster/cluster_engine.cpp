#include "core/cluster/cluster_engine.h"

#include <utility>

#include "core/api/video_request_json.h"
#include "core/cluster/task_memory.h"

namespace kinescope::cluster {

namespace {

class ClusterEngine final : public Engine {
public:
    ClusterEngine(std::unique_ptr<Engine> local, ClusterPlace place, RunObserver& observer)
        : local_(std::move(local)),
          queue_({.jobs_file = std::move(place.jobs_file),
                  .shared_dir = std::move(place.shared_dir),
                  .options = std::move(place.options),
                  .memory_for = [this](const VideoRequest& request) { return planner_.bytes_for(request); },
                  .read_frames = [this](const auto& video) { return local_->videos().read_frames(video, {}); },
                  .poll_seconds = place.poll_seconds,
                  .observer = observer}) {}

    JobQueue& jobs() override { return queue_; }
    ModelCatalog& catalog() override { return local_->catalog(); }
    Diagnostics& diagnostics() override { return local_->diagnostics(); }
    VideoFiles& videos() override { return local_->videos(); }
    GpuInstaller& gpu_installer() override { return local_->gpu_installer(); }

private:
    const std::unique_ptr<Engine> local_;
    MemoryPlanner planner_{*local_};
    ClusterJobQueue queue_;
};

}  // namespace

std::int64_t MemoryPlanner::bytes_for(const VideoRequest& request) {
    return task_memory_bytes(planned_bytes(request));
}

std::int64_t MemoryPlanner::planned_bytes(VideoRequest request) {
    // Main memory: the plan for the CPU holds everything there, which is the upper bound for a graphics card.
    request.device = "cpu";
    request.prompt = "-";
    request.negative_prompt.reset();
    request.seed = 0;
    request.output = {};
    const std::string key = to_json(request);
    const auto known = planned_.find(key);
    if (known != planned_.end()) return known->second;
    return planned_[key] = engine_.catalog().plan(request).peak_memory_bytes;
}

std::unique_ptr<Engine> make_cluster_engine(std::unique_ptr<Engine> local, ClusterPlace place, RunObserver& observer) {
    return std::make_unique<ClusterEngine>(std::move(local), std::move(place), observer);
}

}  // namespace kinescope::cluster
