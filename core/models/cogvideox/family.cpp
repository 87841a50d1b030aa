#include "core/models/cogvideox/family.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numbers>

#include "core/api/error.h"
#include "core/models/cogvideox/card.h"
#include "core/models/cogvideox/image_condition.h"
#include "core/models/cogvideox/layout.h"
#include "core/models/cogvideox/prompt.h"
#include "core/models/cogvideox/replay.h"
#include "core/models/cogvideox/transformer.h"
#include "core/models/cogvideox/vae.h"
#include "core/models/frame_wise_noise.h"
#include "core/models/load_component.h"
#include "core/models/video_size.h"
#include "core/schedulers/partial_schedule.h"

namespace kinescope::cogvideox {

namespace {

/// Returns true for video to video.
bool starts_from_video(const ResolvedRequest& request) {
    return !request.content.video.empty();
}

std::int64_t latent_frames(const ResolvedRequest& request) {
    return (request.content.num_frames - 1) / kTemporalCompression + 1;
}

/// Throws Error(bad_request) if positions are learned and the size is not the native one. Runs before any weights are
/// loaded.
void check_size(const TransformerConfig& config, const std::vector<std::int64_t>& latents_shape, std::int64_t scale) {
    const auto text = [scale](std::int64_t width, std::int64_t height) {
        return std::to_string(scale * width) + " x " + std::to_string(scale * height) + " px";
    };
    const bool is_native = latents_shape[3] == config.sample_height && latents_shape[4] == config.sample_width;
    if (config.position_table == PositionTable::learned && !is_native)
        throw Error(ErrorCode::bad_request,
                    "This model supports only one size: " + text(config.sample_width, config.sample_height) +
                        "; the requested size is " + text(latents_shape[4], latents_shape[3]));
}

}  // namespace

double dynamic_guidance_scale(double guidance_scale, double timestep, int num_inference_steps) {
    // The argument of the cosine can reach 1e13, so the order of operations must match the reference.
    const double share = (num_inference_steps - timestep) / num_inference_steps;
    return 1.0 + guidance_scale * ((1.0 - std::cos(std::numbers::pi * std::pow(share, 5.0))) / 2.0);
}

std::optional<std::string> CogVideoXFamily::match(const ModelFiles& files) const {
    if (!files.has("transformer", kTransformerClass)) return std::nullopt;
    return "its transformer is a CogVideoXTransformer3DModel";
}

ModelCard CogVideoXFamily::card(const ModelFiles& files) const {
    return make_card(files);
}

std::optional<LayoutFamily> CogVideoXFamily::layout() const {
    return cogvideox::layout();
}

Conditioning CogVideoXFamily::encode(const EncodeInput& input, NoiseSource& noise,
                                     const ForwardContext& context) const {
    const auto config = transformer_config(input.files);
    const auto shape = latents_shape(input.files, input.request);
    check_size(config, shape, vae_config(input.files).scale_factor_spatial());
    auto conditioning = encode_prompt(input, context.of("text_encoder"));
    if (starts_from_video(input.request)) {
        conditioning.video_latents = encode_video({.encode = input, .latents_shape = shape}, noise, context.of("vae"));
        if (input.record) input.record("init_latents", in_reference_layout(conditioning.video_latents));
    }
    if (!config.takes_image()) return conditioning;
    if (!input.image.defined())
        throw Error(ErrorCode::bad_request, "This model makes a video from an image; set image");
    add_image_condition({.encode = input, .latents_shape = shape}, noise, context.of("vae"), conditioning);
    return conditioning;
}

std::unique_ptr<DiffusionModel> CogVideoXFamily::load_denoiser(const ModelFiles& files,
                                                               const ComputePolicy& policy) const {
    return load_component<Transformer>({files, "transformer", Transformer::unneeded()}, transformer_config(files),
                                       policy.at("transformer"));
}

std::unique_ptr<VideoVae> CogVideoXFamily::load_vae(const ModelFiles& files, const ResolvedRequest& request,
                                                    const Precision& precision) const {
    auto vae = load_component<Vae>({files, "vae", Vae::unneeded()}, vae_config(files), precision);
    if (request.compute.vae_tiling) vae->enable_tiling();
    return vae;
}

std::unique_ptr<Scheduler> CogVideoXFamily::make_scheduler(const SamplingInput& input) const {
    const auto config = scheduler_config(input.files, {.name = input.request.sampling.scheduler});
    const auto shape = latents_shape(input.files, input.request);
    auto scheduler =
        kinescope::make_scheduler(config, input.request.sampling.num_inference_steps,
                                  [shape, &noise = input.noise] { return frame_wise_noise(noise, shape); });
    if (!starts_from_video(input.request)) return scheduler;
    return std::make_unique<PartialSchedule>(std::move(scheduler), steps_to_run(input.request.sampling));
}

std::vector<std::int64_t> CogVideoXFamily::latents_shape(const ModelFiles& files,
                                                         const ResolvedRequest& request) const {
    const auto transformer = transformer_config(files);
    const auto scale = vae_config(files).scale_factor_spatial();
    check_video_size(request.content, scale * transformer.patch_size);
    const auto patch = transformer.patch_frames();
    const auto frames = (latent_frames(request) + patch - 1) / patch * patch;
    return {1, transformer.out_channels, frames, request.content.height / scale, request.content.width / scale};
}

Tensor CogVideoXFamily::initial_latents(const SamplingInput& input, const Scheduler& scheduler) const {
    const auto noise = frame_wise_noise(input.noise, latents_shape(input.files, input.request));
    if (!starts_from_video(input.request)) return noise * scheduler.init_noise_sigma();
    const double sigma = scheduler.sigmas().front();
    return input.conditioning.video_latents.cpu() * std::sqrt(1.0 - sigma * sigma) + noise * sigma;
}

Guidance CogVideoXFamily::guidance(const SamplingInput& input, const Conditioning& conditioning,
                                   const Scheduler& scheduler) const {
    const double scale = input.request.sampling.guidance_scale;
    auto guidance = constant_guidance(conditioning, scale);
    if (guidance.branches.size() == 1 || !input.request.sampling.use_dynamic_cfg) return guidance;
    const auto& timesteps = scheduler.timesteps();
    guidance.scales.clear();
    for (const double timestep : timesteps)
        guidance.scales.push_back(
            at::scalar_tensor(dynamic_guidance_scale(scale, timestep, static_cast<int>(timesteps.size())), at::kFloat));
    return guidance;
}

Tensor CogVideoXFamily::final_latents(const ResolvedRequest& request, const Conditioning&,
                                      const Tensor& latents) const {
    return latents.slice(2, latents.size(2) - latent_frames(request));
}

RowLayers CogVideoXFamily::row_layers() const {
    return {{"CogVideoX", RowLayerRole::time_embedder, 512, 512},
            {"CogVideoX 2B", RowLayerRole::modulation, 512, 11520},
            {"CogVideoX 5B", RowLayerRole::modulation, 512, 18432}};
}

std::map<std::string, Tensor> CogVideoXFamily::replay(const ReplayInput& input, const ForwardContext& context) const {
    return replay_component(input, context);
}

}  // namespace kinescope::cogvideox
