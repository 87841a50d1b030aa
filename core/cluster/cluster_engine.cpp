#include "core/cluster/cluster_engine.h"

#include <utility>

#include "core/api/video_request_json.h"
#include "core/api/visit_paths.h"
#include "core/cluster/task_memory.h"

namespace kinescope::cluster {

namespace {

/// Returns false if a file that the request names is not on this computer.
bool has_all_files(VideoRequest request) {
    bool has_all = true;
    visit_paths(request, [&has_all](PathUse, const std::filesystem::path& path) {
        std::error_code ignored;
        has_all = has_all && std::filesystem::exists(path, ignored);
    });
    return has_all;
}

class ClusterEngine final : public Engine {
public:
    ClusterEngine(std::unique_ptr<Engine> local, ClusterPlace place, RunObserver& observer)
        : local_(std::move(local)),
          queue_({.jobs_file = std::move(place.jobs_file),
                  .shared_dir = std::move(place.shared_dir),
                  .options = std::move(place.options),
                  .memory_for = [this, wanted = place.options.memory_bytes](
                                    const VideoRequest& request) { return planner_.bytes_for(request, wanted); },
                  .read_frames = [this](const auto& video) { return frames_to_show(local_->videos(), video); },
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

std::vector<FramePtr> frames_to_show(VideoFiles& videos, const std::filesystem::path& video) {
    constexpr std::int64_t kMostBytes = std::int64_t{512} << 20;
    const VideoDescription shape = videos.describe_video(video);
    const std::int64_t bytes = std::int64_t{3} * shape.width * shape.height * shape.num_frames;
    return bytes > kMostBytes ? std::vector<FramePtr>() : videos.read_frames(video, {});
}

std::int64_t MemoryPlanner::bytes_for(const VideoRequest& request, std::int64_t wanted) {
    if (wanted == 0) return task_memory_bytes(planned_bytes(request));
    known_bytes(request);
    return wanted;
}

std::optional<std::int64_t> MemoryPlanner::known_bytes(const VideoRequest& request) {
    try {
        return planned_bytes(request);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory && has_all_files(request)) throw;
        return std::nullopt;
    }
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
    const Plan plan = engine_.catalog().plan(request);
    if (plan.missing_weights) throw *plan.missing_weights;
    // A plan need not read the tokenizer. Files that replace components may contain another one.
    if (plan.card.takes_prompt && request.components.empty())
        engine_.catalog().count_tokens(request.model, request.prompt);
    return planned_[key] = plan.peak_memory_bytes;
}

std::unique_ptr<Engine> make_cluster_engine(std::unique_ptr<Engine> local, ClusterPlace place, RunObserver& observer) {
    return std::make_unique<ClusterEngine>(std::move(local), std::move(place), observer);
}

}  // namespace kinescope::cluster
