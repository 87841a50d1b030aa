#include "core/models/cogvideox/replay.h"

#include <ATen/ATen.h>

#include "core/models/cogvideox/card.h"
#include "core/models/cogvideox/transformer.h"
#include "core/models/cogvideox/vae.h"
#include "core/models/cogvideox/vae_encoder.h"
#include "core/models/load_component.h"
#include "core/models/t5_prompt.h"

namespace kinescope::cogvideox {

namespace {

/// Runs the rows of the batch one by one. The reference runs both guidance branches as one batch.
Tensor replay_transformer(const ReplayInput& input, const ForwardContext& context) {
    const auto config = transformer_config(input.files);
    const auto model = load_component<Transformer>({input.files, "transformer", Transformer::unneeded()}, config,
                                                   input.policy.at("transformer"));
    const auto hidden_states = input.io.read("in.hidden_states").transpose(1, 2);
    std::vector<Tensor> rows;
    for (std::int64_t row = 0; row < hidden_states.size(0); ++row) {
        const auto channels = hidden_states.narrow(0, row, 1);
        const Conditioning conditioning{
            .prompt_embeds = input.io.read("in.encoder_hidden_states").narrow(0, row, 1),
            .condition = config.takes_image() ? channels.slice(1, config.out_channels) : Tensor()};
        rows.push_back(model->predict({.latents = channels.slice(1, 0, config.out_channels),
                                       .timestep = input.io.read("in.timestep")[row].to(at::kDouble).item<double>(),
                                       .conditioning = conditioning},
                                      context));
    }
    return at::cat(rows).transpose(1, 2);
}

Tensor replay_text_encoder(const ReplayInput& input, const ForwardContext& context) {
    const auto encoder = load_t5(input.files, input.policy.at("text_encoder"));
    return encoder->encode(input.io.read("in.input_ids"), {}, context);
}

Tensor replay_decoder(const ReplayInput& input, const ForwardContext& context) {
    const auto vae =
        load_component<Vae>({input.files, "vae", Vae::unneeded()}, vae_config(input.files), input.policy.at("vae"));
    std::vector<Tensor> chunks;
    vae->decode_raw(input.io.read("in.z"), context, [&](const Tensor& frames) { chunks.push_back(frames); });
    return at::cat(chunks).permute({3, 0, 1, 2}).unsqueeze(0);
}

}  // namespace

std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context) {
    if (input.component == "transformer") return {{"sample", replay_transformer(input, context)}};
    if (input.component == "text_encoder") return {{"last_hidden_state", replay_text_encoder(input, context)}};
    if (input.component.starts_with("vae_decode")) return {{"sample", replay_decoder(input, context)}};
    if (!input.component.starts_with("vae_encode")) return {};
    const auto encoder = load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()},
                                                    vae_config(input.files), input.policy.at("vae"));
    return {{"moments", encoder->moments(input.io.read("in.x"), context)}};
}

}  // namespace kinescope::cogvideox
