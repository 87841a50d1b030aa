#include "core/models/ltx/run_shape.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/models/ltx/card.h"

namespace kinescope::ltx {

namespace {

std::string index_class(const ModelFiles& files) {
    return files.index.is_object() ? files.index.value("_class_name", "") : "";
}

}  // namespace

Pipeline pipeline_of(const ModelFiles& files) {
    const auto name = index_class(files);
    if (name == "LTXConditionPipeline") return Pipeline::condition;
    if (name == "LTXPipeline" || name == "LTXImageToVideoPipeline") return Pipeline::plain;
    return schedule_config(files).spacing == SigmaSpacing::shifted ? Pipeline::plain : Pipeline::condition;
}

std::vector<Keyframe> keyframes(const ResolvedRequest& request) {
    std::vector<Keyframe> all;
    const bool has_first = !request.content.image.empty() || !request.content.continue_video.empty();
    if (has_first) all.push_back({.image = request.content.image});
    if (!request.content.last_image.empty())
        all.push_back({.image = request.content.last_image, .frame_index = request.content.num_frames - 1});
    for (const auto& condition : request.content.conditions)
        all.push_back({.image = condition.image, .frame_index = condition.frame_index, .strength = condition.strength});
    return all;
}

std::int64_t RunShape::extra_frames() const {
    return std::ranges::count_if(keyframes, [](const Keyframe& keyframe) { return keyframe.frame_index > 0; });
}

std::int64_t RunShape::place_of(std::size_t keyframe) const {
    if (keyframes[keyframe].frame_index == 0) return extra_frames();
    const auto end = keyframes.begin() + static_cast<std::ptrdiff_t>(keyframe);
    return std::count_if(keyframes.begin(), end, [](const Keyframe& before) { return before.frame_index > 0; });
}

RunShape run_shape(const ModelFiles& files, const ResolvedRequest& request) {
    const auto vae = vae_config(files);
    const std::int64_t width = request.content.width, height = request.content.height;
    const auto multiple = vae.spatial_compression;
    if (width < 1 || height < 1 || width % multiple != 0 || height % multiple != 0)
        throw Error(ErrorCode::bad_request, "A video of " + std::to_string(width) + "x" + std::to_string(height) +
                                                " cannot be made: width and height must be multiples of " +
                                                std::to_string(multiple));
    const auto pipeline = pipeline_of(files);
    RunShape shape{.pipeline = pipeline,
                   .channels = vae.latent_channels,
                   .frames = (request.content.num_frames - 1) / vae.temporal_compression + 1,
                   .rows = height / multiple,
                   .columns = width / multiple,
                   .keyframes = keyframes(request),
                   .num_inference_steps = request.sampling.num_inference_steps,
                   .image_cond_noise_scale = 0,
                   .seed = request.sampling.seed};
    if (pipeline == Pipeline::condition) shape.image_cond_noise_scale = request.sampling.image_cond_noise_scale;
    return shape;
}

}  // namespace kinescope::ltx
