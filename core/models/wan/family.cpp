#include "core/models/wan/family.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/models/wan/card.h"
#include "core/models/wan/config.h"
#include "core/models/wan/prompt.h"
#include "core/models/wan/transformer.h"
#include "core/models/wan/vae.h"
#include "core/schedulers/scheduler_config.h"
#include "core/tokenizers/tokenizer.h"

namespace kinescope::wan {

namespace {

constexpr auto kTransformerClass = "WanTransformer3DModel";

/// Builds `Model` from the weights of a component; a missing or misshapen tensor is an error that lists them all.
template <class Model, class Config>
std::unique_ptr<Model> build(const ModelFiles& files, const std::string& component, const Config& config,
                             const Precision& precision, const std::vector<std::string>& known_unused) {
    WeightStore store(files.open_weights(component));
    auto model = std::make_unique<Model>(WeightScope(store), config, precision);
    store.finish(known_unused);
    return model;
}

}  // namespace

std::optional<std::string> WanFamily::match(const ModelFiles& files) const {
    const auto found = files.components.find("transformer");
    if (found == files.components.end() || found->second.class_name != kTransformerClass) return std::nullopt;
    return "its transformer is a WanTransformer3DModel";
}

ModelCard WanFamily::card(const ModelFiles& files) const {
    return make_card(files);
}

Conditioning WanFamily::encode(const EncodeInput& input, NoiseSource&, const ForwardContext& context) const {
    return encode_prompt(input.files, input.request, input.policy.at("text_encoder"), context.of("text_encoder"));
}

int WanFamily::count_tokens(const ModelFiles& files, const std::string& prompt) const {
    const auto tokenizer = load_tokenizer(files.component("tokenizer").folder);
    return static_cast<int>(tokenizer->encode(clean_prompt(prompt), std::int64_t{1} << 20).size());
}

std::unique_ptr<DiffusionModel> WanFamily::load_denoiser(const ModelFiles& files, const ComputePolicy& policy) const {
    return build<Transformer>(files, "transformer", transformer_config(files), policy.at("transformer"), {});
}

std::unique_ptr<VideoVae> WanFamily::load_vae(const ModelFiles& files, const VideoRequest&,
                                              const Precision& precision) const {
    // Text to video needs no encoder.
    return build<Vae>(files, "vae", vae_config(files), precision, {"encoder.", "quant_conv."});
}

std::unique_ptr<Scheduler> WanFamily::make_scheduler(const SamplingInput& input) const {
    const auto& request = input.request;
    const SchedulerOverride changes{.name = request.scheduler.value_or(""), .flow_shift = request.flow_shift};
    const auto config = scheduler_config(input.files, changes);
    return kinescope::make_scheduler(config, request.num_inference_steps.value_or(50));
}

std::vector<std::int64_t> WanFamily::latents_shape(const ModelFiles& files, const VideoRequest& request) const {
    const auto transformer = transformer_config(files);
    const auto vae = vae_config(files);
    const auto width = request.width.value_or(0);
    const auto height = request.height.value_or(0);
    const auto num_frames = request.num_frames.value_or(0);
    const auto multiple = vae.scale_factor_spatial() * transformer.patch_size[1];
    if (width < 1 || height < 1 || num_frames < 1 || width % multiple != 0 || height % multiple != 0)
        throw Error(ErrorCode::bad_request, "A video of " + std::to_string(width) + "x" + std::to_string(height) +
                                                ", " + std::to_string(num_frames) +
                                                " frames, cannot be made: width and height must be multiples of " +
                                                std::to_string(multiple));
    return {1, transformer.in_channels, (num_frames - 1) / vae.scale_factor_temporal() + 1,
            height / vae.scale_factor_spatial(), width / vae.scale_factor_spatial()};
}

std::map<std::string, Tensor> WanFamily::replay(const ReplayInput& input, const ForwardContext& context) const {
    if (input.component != "transformer") return {};
    const auto& io = input.io;
    const Conditioning conditioning{.prompt_embeds = io.read("in.encoder_hidden_states").to(at::kFloat)};
    const auto sample = load_denoiser(input.files, input.policy)
                            ->predict({.latents = io.read("in.hidden_states").to(at::kFloat),
                                       .timestep = io.read("in.timestep").flatten()[-1].to(at::kDouble).item<double>(),
                                       .conditioning = conditioning},
                                      context);
    return {{"sample", sample}};
}

}  // namespace kinescope::wan
