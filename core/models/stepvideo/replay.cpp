#include "core/models/stepvideo/replay.h"

#include <ATen/ATen.h>

#include "core/models/load_component.h"
#include "core/models/stepvideo/card.h"
#include "core/models/stepvideo/prompt.h"
#include "core/models/stepvideo/transformer.h"
#include "core/models/stepvideo/vae.h"
#include "core/models/stepvideo/vae_encoder.h"
#include "core/text_encoders/step_llm_encoder.h"
#include "core/weights/weight_store.h"

namespace kinescope::stepvideo {

namespace {

using Outputs = std::map<std::string, Tensor>;

Outputs replay_transformer(const ReplayInput& input, const ForwardContext& context) {
    const auto& io = input.io;
    const auto model = load_component<Transformer>({input.files, "transformer"}, transformer_config(input.files),
                                                   input.policy.at("transformer"));
    const Conditioning conditioning{.prompt_embeds = io.read("in.encoder_hidden_states"),
                                    .prompt_embeds_2 = io.read("in.encoder_hidden_states_2")};
    return {{"sample", model->predict({.latents = io.read("in.hidden_states"),
                                       .timestep = io.read("in.timestep").to(at::kDouble).item<double>(),
                                       .conditioning = conditioning},
                                      context)}};
}

/// Replays the encoders one after the other, so that only one is in memory.
Outputs replay_encoders(const ReplayInput& input, const ForwardContext& context) {
    const auto& io = input.io;
    Outputs outputs;
    outputs["llm"] = load_llm(input.files, input.policy)->encode(io.read("in.input_ids"), {}, context);
    outputs["clip"] =
        load_clip(input.files, input.policy)->encode(io.read("in.clip_ids"), io.read("in.clip_mask"), context);
    return outputs;
}

std::filesystem::path file_of(const ComponentCase& given) {
    return given.weights->files().empty() ? std::filesystem::path(given.component) : given.weights->files().front();
}

/// Runs sample `i` of the batch and returns [1, F, C, H, W]. The sum of the mask is the number of real tokens,
/// including those of CLIP.
Tensor predict_sample(Transformer& model, const CheckpointReader& io, std::int64_t i, const ForwardContext& context) {
    const auto clip = io.read("encoder_hidden_states_2").narrow(0, i, 1);
    const auto real = io.read("encoder_attention_mask")[i].sum().to(at::kLong).item<std::int64_t>();
    const Conditioning conditioning{
        .prompt_embeds = io.read("encoder_hidden_states").narrow(0, i, 1).narrow(1, 0, real - clip.size(1)),
        .prompt_embeds_2 = clip};
    return model
        .predict({.latents = io.read("hidden_states").narrow(0, i, 1).transpose(1, 2),
                  .timestep = io.read("timestep")[i].to(at::kDouble).item<double>(),
                  .conditioning = conditioning},
                 context)
        .transpose(1, 2);
}

ComponentOutputs run_transformer(const ComponentCase& given, WeightStore& store, const ForwardContext& context) {
    Transformer model(WeightScope(store), read_transformer_config(given.config, file_of(given)), {});
    store.finish();
    std::vector<Tensor> samples;
    for (std::int64_t i = 0; i < given.io->read("hidden_states").size(0); ++i)
        samples.push_back(predict_sample(model, *given.io, i, context));
    return {{"output", at::cat(samples)}};
}

ComponentOutputs run_step_llm(const ComponentCase& given, WeightStore& store, const ForwardContext& context) {
    StepLlmEncoder encoder(WeightScope(store), read_step_llm_config(given.config, file_of(given)), {});
    store.finish();
    return {{"last_hidden_state", encoder.encode(given.io->read("input_ids"), {}, context)}};
}

/// Runs the VAE. Latents and moments are [1, T, C, h, w], pixels [1, 3, T, H, W].
ComponentOutputs run_vae(const ComponentCase& given, WeightStore& store, const ForwardContext& context) {
    const auto config = read_vae_config(given.config, file_of(given));
    const Vae decoder(WeightScope(store), config, {});
    const VaeEncoder encoder(WeightScope(store), config, {});
    store.finish();
    ComponentOutputs outputs;
    for (const auto& entry : given.io->entries()) {
        const auto& name = entry.name;
        if (name.starts_with("decode_") && name.ends_with("_latents")) {
            const auto latents = given.io->read(name)[0].permute({0, 2, 3, 1}).contiguous();
            outputs[name.substr(0, name.rfind('_')) + "_pixels"] =
                decoder.decode_chunk(latents, context).permute({3, 0, 1, 2}).unsqueeze(0);
        }
        if (name.starts_with("encode_") && name.ends_with("_pixels")) {
            const auto pixels = given.io->read(name)[0].permute({1, 2, 3, 0}).contiguous();
            outputs[name.substr(0, name.rfind('_')) + "_moments"] =
                encoder.encode_chunk(pixels, context).permute({0, 3, 1, 2}).unsqueeze(0);
        }
    }
    return outputs;
}

}  // namespace

Outputs replay_component(const ReplayInput& input, const ForwardContext& context) {
    if (input.component == "transformer") return replay_transformer(input, context);
    if (input.component == "encoders") return replay_encoders(input, context);
    return {};
}

ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context) {
    WeightStore store(given.weights);
    if (store.has("clip_projection.weight")) return run_transformer(given, store, context);
    if (store.has("tok_embeddings.word_embeddings.weight")) return run_step_llm(given, store, context);
    if (store.has("decoder.conv_unpatchify.conv.conv.weight")) return run_vae(given, store, context);
    return {};
}

}  // namespace kinescope::stepvideo
