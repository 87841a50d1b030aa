#include "core/models/ltx/image_condition.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/device/block_reuse.h"
#include "core/models/image_processor.h"
#include "core/models/load_component.h"
#include "core/models/ltx/card.h"
#include "core/models/ltx/draws.h"
#include "core/models/ltx/position_embedding.h"
#include "core/models/ltx/schedule.h"
#include "core/models/ltx/vae_encoder.h"
#include "core/models/numbered.h"

namespace kinescope::ltx {

namespace {

/// Returns the coordinates of the keyframes' extra frames, followed by those of the video.
Tensor coordinates_of(const RunShape& shape, const VaeConfig& vae, double fps) {
    const TokenGrid grid{shape.frames, shape.rows, shape.columns};
    if (shape.pipeline == Pipeline::plain) return even_coordinates(grid, vae, fps);
    std::vector<Tensor> parts;
    for (const auto& keyframe : shape.keyframes)
        if (const auto extra = shape.extra_frames(keyframe); extra > 0)
            parts.push_back(causal_coordinates({extra, shape.rows, shape.columns}, vae, fps, keyframe.frame_index));
    parts.push_back(causal_coordinates(grid, vae, fps, 0));
    return at::cat(parts, 2);
}

/// Expands a value per frame to a value per token.
Tensor for_each_token(const Tensor& of_frames, const RunShape& shape) {
    return of_frames.expand({1, 1, shape.all_frames(), shape.rows, shape.columns}).reshape({1, shape.tokens()});
}

void check_keyframes(const EncodeInput& input, const RunShape& shape) {
    if (shape.pipeline == Pipeline::plain && (shape.keyframes.size() > 1 || shape.extra_frames() > 0))
        throw Error(ErrorCode::bad_request,
                    "This version of LTX-Video accepts only one image, which becomes the first frame",
                    "LTX-Video 0.9.5 and later versions accept several images.");
    const auto num_frames = input.request.content.num_frames;
    for (const auto& keyframe : shape.keyframes)
        if (keyframe.frame_index < 0 || keyframe.frame_index >= num_frames)
            throw Error(ErrorCode::bad_request, "A condition is set for frame " + std::to_string(keyframe.frame_index) +
                                                    "; the video has frames 0 to " + std::to_string(num_frames - 1));
}

/// Calls `take` with the first `count` frames of the request's images and videos, in the order of its keyframes.
void read_keyframe(const EncodeInput& input, std::size_t index, std::int64_t count,
                   const std::function<void(const Tensor&)>& take) {
    std::vector<Tensor> images;
    for (const auto& image : {input.image, input.last_image})
        if (image.defined()) images.push_back(image);
    if (index < images.size()) return take(images[index]);
    input.conditions.at(index - images.size())(static_cast<int>(count), take);
}

/// Returns the pixels of a keyframe, float32 [1, 3, F, height, width].
Tensor pixels_of(const EncodeInput& input, std::size_t index, std::int64_t count, const RunShape& shape,
                 std::int64_t compression) {
    std::vector<Tensor> frames;
    read_keyframe(input, index, count, [&](const Tensor& frame) {
        frames.push_back(vae_pixels(frame, shape.rows * compression, shape.columns * compression));
    });
    return at::stack(frames, 2);
}

/// Returns the noise of all latent frames: that of the keyframes' extra frames, then that of the video.
Tensor noise_of(const Draws& draws) {
    std::vector<Tensor> frames;
    for (const auto& mixing : draws.mixing)
        if (mixing.defined()) frames.push_back(mixing);
    frames.push_back(draws.latents);
    return at::cat(frames, 2);
}

void encode_keyframes(const EncodeInput& input, const RunShape& shape, const Draws& draws,
                      const ForwardContext& context, Conditioning& conditioning) {
    const auto config = vae_config(input.files);
    const auto encoder =
        load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()}, config, input.policy.at("vae"));
    const BlockReuse reuse(BlockReuse::Surplus::none);
    auto& details = conditioning.details;
    conditioning.condition = at::zeros(shape.all(), at::kFloat);
    const auto start = noise_of(draws);
    for (std::size_t i = 0; i < shape.keyframes.size(); ++i) {
        const auto number = static_cast<int>(i);
        const auto& keyframe = shape.keyframes[i];
        const auto pixels = pixels_of(input, i, keyframe.num_frames, shape, config.spatial_compression);
        const auto posterior = encoder->encode(pixels, context);
        const auto latents = encoder->normalized(posterior.mean + at::exp(posterior.logvar * 0.5) * draws.posterior[i]);
        for (const auto& [first, count, place] : shape.placements(i)) {
            const auto part = latents.narrow(2, first, count), at_place = start.narrow(2, place, count);
            conditioning.condition.narrow(2, place, count).copy_(part);
            at_place.copy_(at::lerp(at_place, part, keyframe.strength));
        }
        const bool is_image = keyframe.num_frames == 1;
        if (input.record)
            input.record(shape.pipeline == Pipeline::plain ? "image_pixels" : numbered("condition_pixels", number),
                         is_image ? pixels.squeeze(2) : pixels);
        details[numbered("posterior_mean", number)] = posterior.mean;
        details[numbered("posterior_logvar", number)] = posterior.logvar;
        details[numbered("posterior_noise", number)] = draws.posterior[i];
        if (draws.mixing[i].defined()) details[numbered("condition_noise", number)] = draws.mixing[i];
    }
    details["starting_latents"] = start;
    details["held_frames"] = held_frames(shape);
    details["conditioning_mask"] = for_each_token(details["held_frames"], shape);
}

}  // namespace

void add_frames(const EncodeInput& input, const RunShape& shape, const ForwardContext& context,
                Conditioning& conditioning) {
    check_keyframes(input, shape);
    const auto draws = draw(shape, Wanted::before_steps);
    conditioning.details["latents_initial"] = draws.latents;
    conditioning.details["video_coords"] = coordinates_of(shape, vae_config(input.files), input.request.content.fps);
    if (!shape.keyframes.empty()) encode_keyframes(input, shape, draws, context, conditioning);
}

Tensor starting_latents(const RunShape& shape, const Conditioning& conditioning) {
    const auto found = conditioning.details.find("starting_latents");
    return found == conditioning.details.end() ? draw(shape, Wanted::before_steps).latents : found->second;
}

}  // namespace kinescope::ltx
