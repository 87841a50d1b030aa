#include "core/models/svd/image_condition.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/device/block_reuse.h"
#include "core/models/clip_vision.h"
#include "core/models/image_processor.h"
#include "core/models/load_component.h"
#include "core/models/svd/antialiased_resize.h"
#include "core/models/svd/card.h"
#include "core/models/svd/vae_encoder.h"
#include "core/nn/parameter.h"

namespace kinescope::svd {

namespace {

/// Returns float32 instead of a planned float16 if the config says that the encoder exceeds the float16 range.
Precision encoder_precision(const VaeConfig& config, const Precision& planned) {
    return config.force_upcast && planned.compute == at::kHalf ? float32_compute(planned) : planned;
}

/// Returns the image's CLIP embedding, [1, 1, D].
Tensor embed_image(const EncodeInput& input, const ForwardContext& context) {
    const auto encoder =
        load_clip_vision(input.files, ClipVisionEncoder::Use::image_embeds, input.policy.at("image_encoder"));
    const auto pixels = clip_input(input.files, input.image);
    Tensor embeds;
    context.probe.transact([&] { embeds = encoder->image_embeds(pixels, context); });
    return embeds.unsqueeze(1);
}

/// Returns the image's latents, [1, C, h, w].
Tensor encode_pixels(const EncodeInput& input, const Tensor& pixels, const ForwardContext& context) {
    const auto config = vae_config(input.files);
    const auto encoder = load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()}, config,
                                                    encoder_precision(config, input.policy.at("vae")));
    const BlockReuse reuse(BlockReuse::Surplus::none);
    Tensor latents;
    context.probe.transact([&] { latents = encoder->mode(pixels, context); });
    return latents;
}

Tensor added_time_ids(const ResolvedRequest& request) {
    // The model was trained with the frame rate minus one.
    return at::tensor({request.content.fps - 1.0, static_cast<double>(request.sampling.motion_bucket_id),
                       request.sampling.noise_aug_strength},
                      at::kFloat)
        .unsqueeze(0);
}

}  // namespace

Tensor clip_input(const ModelFiles& files, const Tensor& image) {
    if (image.size(0) < 2 || image.size(1) < 2)
        throw Error(ErrorCode::image_unreadable, "The image has " + std::to_string(image.size(1)) + "x" +
                                                     std::to_string(image.size(0)) + " px; it needs at least 2x2");
    const auto found = files.components.find("feature_extractor");
    const auto config =
        found == files.components.end()
            ? ClipImageConfig{}
            : read_clip_image_config(found->second.config, found->second.folder / "preprocessor_config.json");
    const auto pixels = image.permute({2, 0, 1}).unsqueeze(0).to(at::kFloat).div(255.0) * 2.0 - 1.0;
    return clip_normalized((antialiased_resize(pixels, config.crop_size) + 1.0) / 2.0, config);
}

Conditioning encode_image(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context) {
    if (!input.image.defined()) throw Error(ErrorCode::bad_request, "This model needs an image");
    const auto& request = input.request;
    Conditioning conditioning{.image_embeds = embed_image(input, context.of("image_encoder")),
                              .added_time_ids = added_time_ids(request)};
    const auto pixels = vae_pixels(input.image, request.content.height, request.content.width);
    const auto drawn = noise.normal(pixels.sizes().vec());
    const auto noised = pixels + drawn * request.sampling.noise_aug_strength;
    const auto latents = encode_pixels(input, noised, context.of("vae")).unsqueeze(2);
    conditioning.condition = latents.expand({-1, -1, request.content.num_frames, -1, -1}).contiguous();
    conditioning.details = {{"image_pixels", pixels},
                            {"image_noise", drawn},
                            {"image_noised", noised},
                            {"added_time_ids", conditioning.added_time_ids}};
    return conditioning;
}

}  // namespace kinescope::svd
