#include "core/models/cogvideox/replay.h"

#include <ATen/ATen.h>

#include "core/models/cogvideox/card.h"
#include "core/models/cogvideox/transformer.h"
#include "core/models/cogvideox/vae.h"
#include "core/models/cogvideox/vae_encoder.h"
#include "core/text_encoders/t5_encoder.h"

namespace kinescope::cogvideox {

namespace {

/// A component alone: what it lacks is found out when the whole request runs.
template <class Model, class Config>
Model build(const ReplayInput& input, const std::string& component, const Config& config) {
    WeightStore store(input.files.open_weights(component));
    return Model(WeightScope(store), config, input.policy.at(component));
}

/// Rows of a batch one by one: the reference runs both branches of guidance at once.
Tensor replay_transformer(const ReplayInput& input, const ForwardContext& context) {
    const auto config = transformer_config(input.files);
    auto model = build<Transformer>(input, "transformer", config);
    const auto hidden_states = input.io.read("in.hidden_states").transpose(1, 2);
    std::vector<Tensor> rows;
    for (std::int64_t row = 0; row < hidden_states.size(0); ++row) {
        const auto channels = hidden_states.narrow(0, row, 1);
        const Conditioning conditioning{
            .prompt_embeds = input.io.read("in.encoder_hidden_states").narrow(0, row, 1),
            .condition = config.takes_image() ? channels.slice(1, config.out_channels) : Tensor()};
        rows.push_back(model.predict({.latents = channels.slice(1, 0, config.out_channels),
                                      .timestep = input.io.read("in.timestep")[row].to(at::kDouble).item<double>(),
                                      .conditioning = conditioning},
                                     context));
    }
    return at::cat(rows).transpose(1, 2);
}

Tensor replay_text_encoder(const ReplayInput& input, const ForwardContext& context) {
    const auto& component = input.files.component("text_encoder");
    auto encoder =
        build<T5Encoder>(input, "text_encoder", read_t5_config(component.config, component.folder / "config.json"));
    return encoder.encode(input.io.read("in.input_ids"), {}, context);
}

Tensor replay_decoder(const ReplayInput& input, const ForwardContext& context) {
    auto vae = build<Vae>(input, "vae", vae_config(input.files));
    std::vector<Tensor> chunks;
    vae.decode_raw(input.io.read("in.z"), context, [&](const Tensor& frames) { chunks.push_back(frames); });
    return at::cat(chunks).permute({3, 0, 1, 2}).unsqueeze(0);
}

}  // namespace

std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context) {
    if (input.component == "transformer") return {{"sample", replay_transformer(input, context)}};
    if (input.component == "text_encoder") return {{"last_hidden_state", replay_text_encoder(input, context)}};
    if (input.component.starts_with("vae_decode")) return {{"sample", replay_decoder(input, context)}};
    if (!input.component.starts_with("vae_encode")) return {};
    const auto encoder = build<VaeEncoder>(input, "vae", vae_config(input.files));
    return {{"moments", encoder.encode(input.io.read("in.x"), context)}};
}

}  // namespace kinescope::cogvideox
