#include "core/models/ltx/image_condition.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/device/block_reuse.h"
#include "core/models/image_processor.h"
#include "core/models/load_component.h"
#include "core/models/ltx/card.h"
#include "core/models/ltx/draws.h"
#include "core/models/ltx/numbered.h"
#include "core/models/ltx/positions.h"
#include "core/models/ltx/schedule.h"
#include "core/models/ltx/vae_encoder.h"

namespace kinescope::ltx {

namespace {

/// Returns the coordinates of the images' extra frames, followed by those of the video.
Tensor coordinates_of(const RunShape& shape, const VaeConfig& vae, double fps) {
    const TokenGrid grid{shape.frames, shape.rows, shape.columns};
    if (shape.pipeline == Pipeline::plain) return even_coordinates(grid, vae, fps);
    std::vector<Tensor> parts;
    for (const auto& keyframe : shape.keyframes)
        if (keyframe.frame_index > 0)
            parts.push_back(causal_coordinates({1, shape.rows, shape.columns}, vae, fps, keyframe.frame_index));
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
            throw Error(ErrorCode::bad_request, "A condition image is set for frame " +
                                                    std::to_string(keyframe.frame_index) +
                                                    "; the video has frames 0 to " + std::to_string(num_frames - 1));
}

/// Returns the request's images in the order of its keyframes.
std::vector<Tensor> pictures_of(const EncodeInput& input) {
    std::vector<Tensor> pictures;
    if (input.image.defined()) pictures.push_back(input.image);
    if (input.last_image.defined()) pictures.push_back(input.last_image);
    pictures.insert(pictures.end(), input.condition_images.begin(), input.condition_images.end());
    return pictures;
}

void encode_keyframes(const EncodeInput& input, const RunShape& shape, const Draws& draws,
                      const ForwardContext& context, Conditioning& conditioning) {
    const auto config = vae_config(input.files);
    const auto encoder = load_component<VaeEncoder>({input.files, "vae", {"decoder."}}, config, input.policy.at("vae"));
    const BlockReuse reuse(BlockReuse::Surplus::none);
    const auto pictures = pictures_of(input);
    auto& details = conditioning.details;
    conditioning.condition = at::zeros(shape.all(), at::kFloat);
    for (std::size_t i = 0; i < shape.keyframes.size(); ++i) {
        const auto number = static_cast<int>(i);
        const auto pixels = vae_pixels(pictures.at(i), shape.rows * config.spatial_compression,
                                       shape.columns * config.spatial_compression);
        const auto posterior = encoder->encode(pixels.unsqueeze(2), context);
        const auto latents = posterior.mean + at::exp(posterior.logvar * 0.5) * draws.posterior[i];
        conditioning.condition.narrow(2, shape.place_of(i), 1).copy_(encoder->normalized(latents));
        details[shape.pipeline == Pipeline::plain ? "image_pixels" : numbered("condition_pixels", number)] = pixels;
        details[numbered("posterior_mean", number)] = posterior.mean;
        details[numbered("posterior_logvar", number)] = posterior.logvar;
        details[numbered("posterior_noise", number)] = draws.posterior[i];
        if (draws.mixing[i].defined()) details[numbered("condition_noise", number)] = draws.mixing[i];
    }
    details["conditioning_mask"] = for_each_token(held_frames(shape), shape);
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
    const auto draws = draw(shape, Wanted::before_steps);
    std::vector<Tensor> frames;
    for (const auto& mixing : draws.mixing)
        if (mixing.defined()) frames.push_back(mixing);
    frames.push_back(draws.latents);
    const auto noise = at::cat(frames, 2);
    const auto& condition = conditioning.condition;
    if (!condition.defined()) return noise;
    return at::lerp(noise, condition.cpu(), held_frames(shape).expand_as(noise));
}

}  // namespace kinescope::ltx
