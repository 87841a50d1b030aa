#include "core/models/wan/family.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/api/video_parts.h"
#include "core/models/load_component.h"
#include "core/models/video_size.h"
#include "core/models/wan/card.h"
#include "core/models/wan/config.h"
#include "core/models/wan/experts.h"
#include "core/models/wan/image_condition.h"
#include "core/models/wan/layout.h"
#include "core/models/wan/prompt.h"
#include "core/models/wan/replay.h"
#include "core/models/wan/transformer.h"
#include "core/models/wan/vace_condition.h"
#include "core/models/wan/vae.h"
#include "core/models/wan/video_latents.h"
#include "core/schedulers/held_frames.h"
#include "core/schedulers/partial_schedule.h"
#include "core/schedulers/scheduler_config.h"
#include "core/tokenizers/tokenizer.h"

namespace kinescope::wan {

namespace {

constexpr auto kVaceClass = "WanVACETransformer3DModel";

/// Returns true for video to video. A VACE model takes a control video instead.
bool starts_from_video(const ModelFiles& files, const ResolvedRequest& request) {
    return !request.content.video.empty() && !transformer_config(files).has_vace();
}

/// Adds the control condition and the scale of each VACE block.
void add_control(const EncodeInput& input, const TransformerConfig& transformer, const ForwardContext& context,
                 Conditioning& conditioning) {
    const int overlap = overlap_frames(make_card(input.files), input.request.content.num_frames);
    conditioning.condition = encode_control(input, vae_config(input.files), overlap, context);
    const auto& scales = input.request.sampling.conditioning_scale;
    const auto count = static_cast<std::int64_t>(transformer.vace_layers.size());
    conditioning.control_scale = scales.size() > 1
                                     ? at::tensor(scales, at::kDouble).to(at::kFloat)
                                     : at::full({count}, scales.empty() ? 1.0 : scales.front(), at::kFloat);
}

/// Records the encoded video and the noise, which golden cases store. The noise is the first draw of the seed.
void record_start(const EncodeInput& input, const Tensor& video, const std::vector<std::int64_t>& shape) {
    input.record("init_latents", video);
    input.record("latents_initial", NoiseSource(input.request.sampling.seed).normal(shape));
}

}  // namespace

void WanFamily::add_unlisted_parts(ModelFiles& files) const {
    for (const char* name : {"transformer", "transformer_2"})
        if (files.has(name, kVaceClass)) files.components.at(name).class_name = kTransformerClass;
}

std::optional<std::string> WanFamily::match(const ModelFiles& files) const {
    if (!files.has("transformer", kTransformerClass)) return std::nullopt;
    return "its transformer is a WanTransformer3DModel";
}

ModelCard WanFamily::card(const ModelFiles& files) const {
    return make_card(files);
}

std::optional<LayoutFamily> WanFamily::layout() const {
    return wan::layout();
}

Conditioning WanFamily::encode(const EncodeInput& input, NoiseSource&, const ForwardContext& context) const {
    auto conditioning = encode_prompt(input, context.of("text_encoder"));
    const auto transformer = transformer_config(input.files);
    if (transformer.has_vace()) {
        add_control(input, transformer, context.of("vae"), conditioning);
        return conditioning;
    }
    if (starts_from_video(input.files, input.request)) {
        conditioning.video_latents =
            encode_video(input, input.request.content.num_frames, vae_config(input.files), context.of("vae"));
        if (input.record) record_start(input, conditioning.video_latents, latents_shape(input.files, input.request));
        return conditioning;
    }
    if (!input.request.content.continue_video.empty() && input.video) {
        const int overlap = overlap_frames(make_card(input.files), input.request.content.num_frames);
        conditioning.video_latents = encode_video(input, overlap, vae_config(input.files), context.of("vae"));
        return conditioning;
    }
    if (!input.image.defined()) return conditioning;
    if (transformer.has_image_branch()) conditioning.image_embeds = encode_images(input, context.of("image_encoder"));
    const auto vae = vae_config(input.files);
    if (transformer.condition_channels() > 0) {
        conditioning.condition = encode_video_condition(input, vae, context.of("vae"));
        return conditioning;
    }
    conditioning.condition = encode_first_frame(input, vae, context.of("vae"));
    conditioning.details["first_frame_mask"] =
        first_frame_mask(latents_shape(input.files, input.request), conditioning.condition);
    return conditioning;
}

int WanFamily::count_tokens(const ModelFiles& files, const std::string& prompt) const {
    return ModelFamily::count_tokens(files, clean_prompt(prompt));
}

std::unique_ptr<DiffusionModel> WanFamily::load_denoiser(const ModelFiles& files, const ComputePolicy& policy) const {
    const auto load = [=](const std::string& component) {
        const auto config = transformer_config(files, component);
        return load_component<Transformer>({files, component, Transformer::unneeded(config)}, config,
                                           policy.at(component));
    };
    const auto boundary = boundary_timestep(files);
    if (!boundary) return load("transformer");
    return std::make_unique<Experts>(*boundary, load);
}

std::unique_ptr<VideoVae> WanFamily::load_vae(const ModelFiles& files, const ResolvedRequest&,
                                              const Precision& precision) const {
    return load_component<Vae>({files, "vae", Vae::unneeded()}, vae_config(files), precision);
}

std::unique_ptr<Scheduler> WanFamily::make_scheduler(const SamplingInput& input) const {
    const auto& request = input.request;
    const SchedulerOverride changes{.name = request.sampling.scheduler, .flow_shift = request.sampling.flow_shift};
    const auto config = scheduler_config(input.files, changes);
    auto scheduler = kinescope::make_scheduler(config, request.sampling.num_inference_steps);
    const auto& latents = input.conditioning.video_latents;
    if (!request.content.continue_video.empty() && latents.defined())
        return std::make_unique<HeldFrames>(
            std::move(scheduler), latents,
            NoiseSource(request.sampling.seed).normal(latents_shape(input.files, request)));
    if (!starts_from_video(input.files, request)) return scheduler;
    return std::make_unique<PartialSchedule>(std::move(scheduler), steps_to_run(request.sampling));
}

Tensor WanFamily::initial_latents(const SamplingInput& input, const Scheduler& scheduler) const {
    const auto noise = ModelFamily::initial_latents(input, scheduler);
    const auto& video = input.conditioning.video_latents;
    if (!input.request.content.continue_video.empty() && video.defined()) {
        const auto held = noised(video, noise.slice(2, 0, video.size(2)), scheduler.sigmas().front());
        return at::cat({held, noise.slice(2, video.size(2))}, 2);
    }
    if (!starts_from_video(input.files, input.request)) return noise;
    return noised(video, noise, scheduler.sigmas().front());
}

std::vector<std::int64_t> WanFamily::latents_shape(const ModelFiles& files, const ResolvedRequest& request) const {
    const auto transformer = transformer_config(files);
    const auto vae = vae_config(files);
    const auto& content = request.content;
    check_video_size(content, vae.scale_factor_spatial() * transformer.patch_size[1]);
    // Each reference picture of a VACE model is a latent frame in front, which final_latents removes.
    const auto references = static_cast<std::int64_t>(content.reference_images.size());
    return {1, transformer.out_channels, (content.num_frames - 1) / vae.scale_factor_temporal() + 1 + references,
            content.height / vae.scale_factor_spatial(), content.width / vae.scale_factor_spatial()};
}

Guidance WanFamily::guidance(const SamplingInput& input, const Conditioning& conditioning,
                             const Scheduler& scheduler) const {
    const auto& sampling = input.request.sampling;
    const auto boundary = boundary_timestep(input.files);
    const double largest = std::max(sampling.guidance_scale, boundary ? sampling.guidance_scale_2 : 0.0);
    auto guidance = constant_guidance(conditioning, largest);
    if (!boundary || guidance.scales.empty()) return guidance;
    // Up to 1, the first scale means no guidance: its result is the prediction for the prompt.
    const auto high_noise = at::scalar_tensor(std::max(sampling.guidance_scale, 1.0), at::kFloat);
    const auto low_noise = at::scalar_tensor(sampling.guidance_scale_2, at::kFloat);
    guidance.scales.clear();
    for (const double timestep : scheduler.timesteps())
        guidance.scales.push_back(timestep >= *boundary ? high_noise : low_noise);
    return guidance;
}

/// Removes the frames of reference pictures. Restores the first latent frame of the 5B model with an image, which is
/// the image's latents and which the scheduler has changed.
Tensor WanFamily::final_latents(const ResolvedRequest& request, const Conditioning& conditioning,
                                const Tensor& latents) const {
    if (const auto& pictures = request.content.reference_images; !pictures.empty())
        return latents.slice(2, static_cast<std::int64_t>(pictures.size()));
    const auto& condition = conditioning.condition;
    if (!condition.defined() || condition.size(1) != latents.size(1)) return latents;
    return at::cat({condition.to(latents.device()), latents.slice(2, condition.size(2))}, 2);
}

RowLayers WanFamily::row_layers() const {
    return {{"Wan 1.3B", RowLayerRole::time_embedder, 1536, 1536},
            {"Wan 1.3B", RowLayerRole::modulation, 1536, 9216},
            {"Wan 5B", RowLayerRole::modulation, 3072, 18432},
            {"Wan 14B", RowLayerRole::time_embedder, 5120, 5120},
            {"Wan 14B", RowLayerRole::modulation, 5120, 30720}};
}

std::map<std::string, Tensor> WanFamily::replay(const ReplayInput& input, const ForwardContext& context) const {
    return replay_component(input, context);
}

}  // namespace kinescope::wan
