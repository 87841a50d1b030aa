#include "core/models/stepvideo/family.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/models/frame_wise_noise.h"
#include "core/models/load_component.h"
#include "core/models/stepvideo/card.h"
#include "core/models/stepvideo/prompt.h"
#include "core/models/stepvideo/replay.h"
#include "core/models/stepvideo/transformer.h"
#include "core/models/stepvideo/unlisted_parts.h"
#include "core/models/stepvideo/vae.h"
#include "core/models/video_size.h"
#include "core/schedulers/flow_match_discrete.h"

namespace kinescope::stepvideo {

std::optional<std::string> StepVideoFamily::match(const ModelFiles& files) const {
    if (!files.has("transformer", kTransformerClass)) return std::nullopt;
    return "its transformer is a StepVideoModel";
}

ModelCard StepVideoFamily::card(const ModelFiles& files) const {
    return make_card(files);
}

void StepVideoFamily::add_unlisted_parts(ModelFiles& files) const {
    stepvideo::add_unlisted_parts(files);
}

Conditioning StepVideoFamily::encode(const EncodeInput& input, NoiseSource&, const ForwardContext& context) const {
    return encode_prompt(input, context);
}

int StepVideoFamily::count_tokens(const ModelFiles& files, const std::string& prompt) const {
    return stepvideo::count_tokens(files, prompt + make_card(files).prompt_suffix);
}

std::unique_ptr<DiffusionModel> StepVideoFamily::load_denoiser(const ModelFiles& files,
                                                               const ComputePolicy& policy) const {
    return load_component<Transformer>({files, "transformer"}, transformer_config(files), policy.at("transformer"));
}

std::unique_ptr<VideoVae> StepVideoFamily::load_vae(const ModelFiles& files, const ResolvedRequest&,
                                                    const Precision& precision) const {
    return load_component<Vae>({files, "vae", Vae::unneeded()}, vae_config(files), precision);
}

std::unique_ptr<Scheduler> StepVideoFamily::make_scheduler(const SamplingInput& input) const {
    const auto& sampling = input.request.sampling;
    return std::make_unique<FlowMatchDiscreteScheduler>(sampling.flow_shift, sampling.num_inference_steps);
}

std::vector<std::int64_t> StepVideoFamily::latents_shape(const ModelFiles& files,
                                                         const ResolvedRequest& request) const {
    const auto& content = request.content;
    check_video_size(content, kScaleFactorSpatial);
    if (content.num_frames != 1 && content.num_frames % kChunkFrames != 0)
        throw Error(ErrorCode::bad_request, "num_frames is " + std::to_string(content.num_frames) +
                                                "; it must be 1 or a multiple of " + std::to_string(kChunkFrames));
    const auto latent_frames = content.num_frames == 1 ? 1 : content.num_frames / kChunkFrames * kChunkLatents;
    return {1, transformer_config(files).in_channels, latent_frames, content.height / kScaleFactorSpatial,
            content.width / kScaleFactorSpatial};
}

int StepVideoFamily::chunk_frames() const {
    return static_cast<int>(kChunkFrames) + 1;  // plus the frame that is held back from the previous chunk
}

Tensor StepVideoFamily::initial_latents(const SamplingInput& input, const Scheduler&) const {
    return frame_wise_noise(input.noise, latents_shape(input.files, input.request));
}

RowLayers StepVideoFamily::row_layers() const {
    return {{"Step-Video", RowLayerRole::timesteps, 256, 6144},
            {"Step-Video", RowLayerRole::time_embedder, 6144, 6144},
            {"Step-Video", RowLayerRole::modulation, 6144, 36864}};
}

std::map<std::string, Tensor> StepVideoFamily::replay(const ReplayInput& input, const ForwardContext& context) const {
    return replay_component(input, context);
}

ComponentOutputs StepVideoFamily::run_component(const ComponentCase& given, const ForwardContext& context) const {
    return stepvideo::run_component(given, context);
}

}  // namespace kinescope::stepvideo
