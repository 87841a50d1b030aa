#include "core/models/svd/family.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/models/frame_wise_noise.h"
#include "core/models/load_component.h"
#include "core/models/svd/card.h"
#include "core/models/svd/image_condition.h"
#include "core/models/svd/layout.h"
#include "core/models/svd/replay.h"
#include "core/models/svd/unet.h"
#include "core/models/svd/vae.h"
#include "core/models/video_size.h"

namespace kinescope::svd {

std::int64_t decode_chunk_size(const ResolvedRequest& request) {
    const auto wanted = request.compute.decode_chunk_size;
    return wanted > 0 ? wanted : request.content.num_frames;
}

std::optional<std::string> SvdFamily::match(const ModelFiles& files) const {
    if (!files.has("unet", kUNetClass)) return std::nullopt;
    return "its unet is a UNetSpatioTemporalConditionModel";
}

ModelCard SvdFamily::card(const ModelFiles& files) const {
    return make_card(files);
}

std::optional<LayoutFamily> SvdFamily::layout() const {
    return svd::layout();
}

Conditioning SvdFamily::encode(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context) const {
    return encode_image(input, noise, context);
}

int SvdFamily::count_tokens(const ModelFiles&, const std::string&) const {
    return 0;  // the model takes no text
}

std::unique_ptr<DiffusionModel> SvdFamily::load_denoiser(const ModelFiles& files, const ComputePolicy& policy) const {
    return load_component<UNet>({files, "unet"}, unet_config(files), policy.at("unet"));
}

std::unique_ptr<VideoVae> SvdFamily::load_vae(const ModelFiles& files, const ResolvedRequest& request,
                                              const Precision& precision) const {
    return load_component<Vae>({files, "vae", Vae::unneeded()}, vae_config(files), decode_chunk_size(request),
                               precision);
}

std::unique_ptr<Scheduler> SvdFamily::make_scheduler(const SamplingInput& input) const {
    return std::make_unique<EulerDiscreteScheduler>(scheduler_config(input.files),
                                                    input.request.sampling.num_inference_steps);
}

std::vector<std::int64_t> SvdFamily::latents_shape(const ModelFiles& files, const ResolvedRequest& request) const {
    const auto scale = vae_config(files).scale_factor();
    const auto& content = request.content;
    check_video_size(content, scale);
    return {1, unet_config(files).out_channels, content.num_frames, content.height / scale, content.width / scale};
}

Tensor SvdFamily::initial_latents(const SamplingInput& input, const Scheduler& scheduler) const {
    return frame_wise_noise(input.noise, latents_shape(input.files, input.request)) * scheduler.init_noise_sigma();
}

Guidance SvdFamily::guidance(const SamplingInput& input, const Conditioning&, const Scheduler&) const {
    const auto& sampling = input.request.sampling;
    if (sampling.max_guidance_scale <= 1.0) return {};
    const auto scales = at::linspace(sampling.min_guidance_scale, sampling.max_guidance_scale,
                                     input.request.content.num_frames, at::kFloat);
    return {.branches = {Branch::cond, Branch::uncond}, .scales = {scales.view({1, 1, -1, 1, 1})}};
}

Tensor SvdFamily::in_reference_layout(const Tensor& latents) const {
    return latents.transpose(1, 2);
}

RowLayers SvdFamily::row_layers() const {
    return {{"SVD", RowLayerRole::time_embedder, 320, 1280},
            {"SVD", RowLayerRole::added_times, 768, 1280},
            {"SVD", RowLayerRole::modulation, 1280, 640}};
}

std::map<std::string, Tensor> SvdFamily::replay(const ReplayInput& input, const ForwardContext& context) const {
    return replay_component(input, context);
}

}  // namespace kinescope::svd
