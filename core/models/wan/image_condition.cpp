#include "core/models/wan/image_condition.h"

#include <ATen/ATen.h>

#include "core/device/block_reuse.h"
#include "core/models/clip_vision.h"
#include "core/models/image_processor.h"
#include "core/models/load_component.h"
#include "core/models/wan/vae_encoder.h"

namespace kinescope::wan {

namespace {

ClipImageConfig image_config(const ModelFiles& files) {
    if (!files.has("image_processor")) return {};
    const auto& component = files.component("image_processor");
    return read_clip_image_config(component.config, component.folder / "preprocessor_config.json");
}

/// Returns the image in the video's size: [1, H, W, 3] in -1..1.
Tensor picture(const EncodeInput& input, const Tensor& image) {
    return vae_pixels(image, input.request.content.height, input.request.content.width)
        .permute({0, 2, 3, 1})
        .contiguous();
}

/// Returns a source of the first frame, gray frames and, if given, the last frame.
VaeEncoder::FrameSource frames_of(const EncodeInput& input) {
    const auto first_frame = picture(input, input.image);
    const auto last_frame = input.last_image.defined() ? picture(input, input.last_image) : Tensor();
    const std::int64_t last = input.request.content.num_frames - 1;
    return [=](std::int64_t first, std::int64_t count) {
        auto frames = at::zeros({count, first_frame.size(1), first_frame.size(2), 3}, at::kFloat);
        if (first == 0) frames.narrow(0, 0, 1).copy_(first_frame);
        if (last_frame.defined() && first + count > last) frames.narrow(0, last - first, 1).copy_(last_frame);
        return frames;
    };
}

/// Returns a mask [1, frames per latent frame, f, h, w] that is 1 for frames with an image: all frames of the first
/// latent frame and, if a last image is given, the last frame.
Tensor given_frames_mask(const EncodeInput& input, const Tensor& latents, std::int64_t frames_per_latent) {
    auto mask = at::zeros({1, frames_per_latent, latents.size(2), latents.size(3), latents.size(4)}, at::kFloat);
    mask.select(2, 0).fill_(1);
    if (input.last_image.defined()) mask.select(2, -1).select(1, -1).fill_(1);
    return mask;
}

}  // namespace

Tensor encode_images(const EncodeInput& input, const ForwardContext& context) {
    const auto encoder =
        load_clip_vision(input.files, ClipVisionEncoder::Use::penultimate_states, input.policy.at("image_encoder"));
    const auto processor = image_config(input.files);
    std::vector<Tensor> pixels = {clip_pixels(input.image, processor)};
    if (input.last_image.defined()) pixels.push_back(clip_pixels(input.last_image, processor));
    Tensor states;
    context.probe.transact([&] { states = encoder->penultimate_states(at::cat(pixels), context); });
    return states;
}

Tensor encode_video_condition(const EncodeInput& input, const VaeConfig& config, const ForwardContext& context) {
    const auto encoder =
        load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()}, config, input.policy.at("vae"));
    const BlockReuse reuse(BlockReuse::Surplus::none);
    const auto latents = encoder->encode(input.request.content.num_frames, frames_of(input), context);
    const auto mask = given_frames_mask(input, latents, config.scale_factor_temporal());
    return at::cat({mask.to(latents.device()), latents}, 1);
}

Tensor encode_first_frame(const EncodeInput& input, const VaeConfig& config, const ForwardContext& context) {
    const auto frame = picture(input, input.image);
    const auto encoder =
        load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()}, config, input.policy.at("vae"));
    return encoder->encode(
        1, [&](std::int64_t, std::int64_t) { return frame; }, context);
}

Tensor first_frame_mask(const std::vector<std::int64_t>& latents_shape, const Tensor& condition) {
    auto mask = at::ones({1, 1, latents_shape[2], latents_shape[3], latents_shape[4]}, at::kFloat);
    mask.narrow(2, 0, condition.size(2)).fill_(0);
    return mask;
}

}  // namespace kinescope::wan
