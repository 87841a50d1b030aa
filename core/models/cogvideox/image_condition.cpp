#include "core/models/cogvideox/image_condition.h"

#include <ATen/ATen.h>

#include "core/device/block_reuse.h"
#include "core/models/cogvideox/card.h"
#include "core/models/cogvideox/vae_encoder.h"
#include "core/models/image_processor.h"
#include "core/models/load_component.h"
#include "core/models/video_pixels.h"

namespace kinescope::cogvideox {

namespace {

constexpr double kLeastLogvar = -30.0;
constexpr double kLargestLogvar = 20.0;

/// Samples mean + std * noise from the posterior with the encoder's `moments` [1, 2 z, 1, h, w].
Tensor sample_posterior(const Tensor& moments, const Tensor& noise) {
    const auto halves = moments.chunk(2, 1);
    const auto std = at::exp(halves[1].clamp(kLeastLogvar, kLargestLogvar) * 0.5);
    return halves[0] + std * noise;
}

}  // namespace

double image_latents_scale(const VaeConfig& config) {
    return config.invert_scale_latents ? 1.0 / config.scaling_factor : config.scaling_factor;
}

void add_image_condition(const ConditionInput& input, NoiseSource& noise, const ForwardContext& context,
                         Conditioning& conditioning) {
    const auto& [encode, shape] = input;
    const auto config = vae_config(encode.files);
    const auto scale = config.scale_factor_spatial();
    const auto pixels = vae_pixels(encode.image, shape[3] * scale, shape[4] * scale);

    const auto encoder =
        load_component<VaeEncoder>({encode.files, "vae", VaeEncoder::unneeded()}, config, encode.policy.at("vae"));
    const BlockReuse reuse(BlockReuse::Surplus::none);
    const auto moments = encoder->moments(pixels.unsqueeze(2), context).cpu();

    const auto draw = noise.normal({1, shape[1], 1, shape[3], shape[4]});
    const auto latents = sample_posterior(moments, draw) * image_latents_scale(config);
    conditioning.condition = at::constant_pad_nd(latents, {0, 0, 0, 0, 0, shape[2] - 1});
    conditioning.details["image_pixels"] = pixels;
    conditioning.details["posterior_noise"] = draw;
}

Tensor encode_video(const ConditionInput& input, NoiseSource& noise, const ForwardContext& context) {
    const auto& [encode, shape] = input;
    const auto& content = encode.request.content;
    const auto config = vae_config(encode.files);
    const auto pixels =
        as_video(signed_pixels(resized_frames(encode.video, content.num_frames, {content.width, content.height})));
    if (encode.record) encode.record("video_pixels", pixels);
    const auto encoder =
        load_component<VaeEncoder>({encode.files, "vae", VaeEncoder::unneeded()}, config, encode.policy.at("vae"));
    const BlockReuse reuse(BlockReuse::Surplus::none);
    const auto moments = encoder->moments(pixels, context).cpu();
    const auto draw = noise.normal({1, shape[1], moments.size(2), shape[3], shape[4]});
    const auto latents = sample_posterior(moments, draw) * config.scaling_factor;
    const auto missing = shape[2] - latents.size(2);
    return missing > 0 ? at::cat({latents.narrow(2, 0, 1).repeat({1, 1, missing, 1, 1}), latents}, 2) : latents;
}

}  // namespace kinescope::cogvideox
