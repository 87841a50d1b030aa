#include "core/models/ltx/family.h"

#include <ATen/ATen.h>

#include "core/models/load_component.h"
#include "core/models/ltx/card.h"
#include "core/models/ltx/draws.h"
#include "core/models/ltx/image_condition.h"
#include "core/models/ltx/layout.h"
#include "core/models/ltx/prompt.h"
#include "core/models/ltx/replay.h"
#include "core/models/ltx/schedule.h"
#include "core/models/ltx/transformer.h"
#include "core/models/ltx/vae.h"

namespace kinescope::ltx {

namespace {

Direction direction_of(Pipeline pipeline) {
    return pipeline == Pipeline::condition ? Direction::to_data : Direction::to_noise;
}

DecodeNoise decode_noise(const ModelFiles& files, const ResolvedRequest& request) {
    const auto timestep = request.sampling.decode_timestep;
    const auto scale = request.sampling.decode_noise_scale;
    const auto shape = run_shape(files, request);
    return {.timestep = timestep,
            .noise_scale = scale < 0 ? timestep : scale,
            .latents_noise = draw(shape, Wanted::after_steps).decode,
            .seed = shape.seed};
}

}  // namespace

std::optional<std::string> LtxFamily::match(const ModelFiles& files) const {
    if (!files.has("transformer", kTransformerClass)) return std::nullopt;
    return "its transformer is an LTXVideoTransformer3DModel";
}

ModelCard LtxFamily::card(const ModelFiles& files) const {
    return make_card(files);
}

std::optional<LayoutFamily> LtxFamily::layout() const {
    return ltx::layout();
}

Conditioning LtxFamily::encode(const EncodeInput& input, NoiseSource&, const ForwardContext& context) const {
    const auto shape = run_shape(input.files, input.request);
    auto conditioning = encode_prompt(input, context.of("text_encoder"));
    add_frames(input, shape, context.of("vae"), conditioning);
    return conditioning;
}

std::unique_ptr<DiffusionModel> LtxFamily::load_denoiser(const ModelFiles& files, const ComputePolicy& policy) const {
    return load_component<Transformer>({files, "transformer"}, transformer_config(files),
                                       direction_of(pipeline_of(files)), policy.at("transformer"));
}

std::unique_ptr<VideoVae> LtxFamily::load_vae(const ModelFiles& files, const ResolvedRequest& request,
                                              const Precision& precision) const {
    const auto config = vae_config(files);
    auto vae = load_component<Vae>({files, "vae", Vae::unneeded()}, config, precision);
    if (config.timestep_conditioning) vae->set_noise(decode_noise(files, request));
    if (request.compute.vae_tiling) vae->enable_tiling();
    return vae;
}

std::unique_ptr<Scheduler> LtxFamily::make_scheduler(const SamplingInput& input) const {
    auto shape = run_shape(input.files, input.request);
    const auto tokens = shape.frames * shape.rows * shape.columns;
    auto schedule = make_schedule(schedule_config(input.files), tokens, shape.num_inference_steps);
    return std::make_unique<LtxScheduler>(std::move(schedule), std::move(shape), input.conditioning.condition);
}

std::vector<std::int64_t> LtxFamily::latents_shape(const ModelFiles& files, const ResolvedRequest& request) const {
    return run_shape(files, request).all();
}

Tensor LtxFamily::initial_latents(const SamplingInput& input, const Scheduler&) const {
    return starting_latents(run_shape(input.files, input.request), input.conditioning);
}

Tensor LtxFamily::final_latents(const ResolvedRequest&, const Conditioning& conditioning, const Tensor& latents) const {
    const auto initial = conditioning.details.find("latents_initial");
    if (initial == conditioning.details.end()) return latents;
    return latents.slice(2, latents.size(2) - initial->second.size(2));
}

Tensor LtxFamily::as_reference_keeps(const Tensor& latents, const std::vector<std::int64_t>& shape) const {
    if (shape.size() == 3) return packed(latents);
    const bool has_fewer_frames = shape.size() == 5 && shape[2] < latents.size(2);
    return has_fewer_frames ? latents.slice(2, latents.size(2) - shape[2]) : latents;
}

RowLayers LtxFamily::row_layers() const {
    return {{"LTX-Video 2B", RowLayerRole::time_embedder, 2048, 2048},
            {"LTX-Video 2B", RowLayerRole::modulation, 2048, 12288},
            {"LTX-Video 13B", RowLayerRole::time_embedder, 4096, 4096},
            {"LTX-Video 13B", RowLayerRole::modulation, 4096, 24576}};
}

std::map<std::string, Tensor> LtxFamily::replay(const ReplayInput& input, const ForwardContext& context) const {
    return replay_component(input, context);
}

}  // namespace kinescope::ltx
