#include "core/models/ltx/run_shape.h"

#include <algorithm>

#include "core/models/ltx/card.h"
#include "core/models/video_size.h"

namespace kinescope::ltx {

namespace {

/// The number of extra latent frames with which a video at a later frame begins.
constexpr std::int64_t kMostExtraFrames = 2;

std::string index_class(const ModelFiles& files) {
    const auto found = files.index.find("_class_name");
    return found != files.index.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Pipeline pipeline_of(const ModelFiles& files) {
    const auto name = index_class(files);
    if (name == "LTXConditionPipeline") return Pipeline::condition;
    if (name == "LTXPipeline" || name == "LTXImageToVideoPipeline") return Pipeline::plain;
    return schedule_config(files).spacing == SigmaSpacing::shifted ? Pipeline::plain : Pipeline::condition;
}

std::vector<Keyframe> keyframes(const ResolvedRequest& request, std::int64_t compression) {
    std::vector<Keyframe> all;
    const auto& content = request.content;
    if (!content.image.empty() || !content.continue_video.empty()) all.emplace_back();
    if (!content.last_image.empty()) all.push_back({.frame_index = content.num_frames - 1});
    for (const auto& condition : content.conditions) {
        const std::int64_t room = content.num_frames - condition.frame_index;
        const auto frames = std::max<std::int64_t>(std::min<std::int64_t>(condition.num_frames, room), 1);
        all.push_back({.frame_index = condition.frame_index,
                       .strength = condition.strength,
                       .num_frames = (frames - 1) / compression * compression + 1});
    }
    return all;
}

std::int64_t RunShape::latent_frames(const Keyframe& keyframe) const {
    return (keyframe.num_frames - 1) / temporal_compression + 1;
}

std::int64_t RunShape::extra_frames(const Keyframe& keyframe) const {
    return keyframe.frame_index == 0 ? 0 : std::min(latent_frames(keyframe), kMostExtraFrames);
}

std::int64_t RunShape::extra_frames() const {
    std::int64_t sum = 0;
    for (const auto& keyframe : keyframes) sum += extra_frames(keyframe);
    return sum;
}

std::vector<Placement> RunShape::placements(std::size_t index) const {
    const auto& keyframe = keyframes[index];
    const auto extra = extra_frames(keyframe);
    std::vector<Placement> places;
    if (extra > 0) {
        std::int64_t before = 0;
        for (std::size_t i = 0; i < index; ++i) before += extra_frames(keyframes[i]);
        places.push_back({.first = 0, .count = extra, .place = before});
    }
    const auto others = latent_frames(keyframe) - extra;
    const auto place = extra_frames() + keyframe.frame_index / temporal_compression + extra;
    if (others > 0) places.push_back({.first = extra, .count = others, .place = place});
    return places;
}

RunShape run_shape(const ModelFiles& files, const ResolvedRequest& request) {
    const auto vae = vae_config(files);
    check_video_size(request.content, vae.spatial_compression);
    const auto pipeline = pipeline_of(files);
    RunShape shape{.pipeline = pipeline,
                   .channels = vae.latent_channels,
                   .frames = (request.content.num_frames - 1) / vae.temporal_compression + 1,
                   .rows = request.content.height / vae.spatial_compression,
                   .columns = request.content.width / vae.spatial_compression,
                   .temporal_compression = vae.temporal_compression,
                   .keyframes = keyframes(request, vae.temporal_compression),
                   .num_inference_steps = request.sampling.num_inference_steps,
                   .image_cond_noise_scale = 0,
                   .seed = request.sampling.seed};
    if (pipeline == Pipeline::condition) shape.image_cond_noise_scale = request.sampling.image_cond_noise_scale;
    return shape;
}

}  // namespace kinescope::ltx
