#include "core/models/wan/replay.h"

#include <ATen/ATen.h>

#include "core/models/load_component.h"
#include "core/models/t5_prompt.h"
#include "core/models/wan/card.h"
#include "core/models/wan/image_condition.h"
#include "core/models/wan/transformer.h"
#include "core/models/wan/vae.h"
#include "core/models/wan/vae_encoder.h"

namespace kinescope::wan {

namespace {

using Outputs = std::map<std::string, Tensor>;

Outputs replay_text_encoder(const ReplayInput& input, const ForwardContext& context) {
    const auto encoder = load_t5(input.files, input.policy.at("text_encoder"));
    return {{"last_hidden_state",
             encoder->encode(input.io.read("in.input_ids"), input.io.read("in.attention_mask"), context)}};
}

Outputs replay_image_encoder(const ReplayInput& input, const ForwardContext& context) {
    const ResolvedRequest request;
    const EncodeInput images{.files = input.files,
                             .request = request,
                             .policy = input.policy,
                             .image = input.io.read("in.image"),
                             .last_image = input.has("in.last_image") ? input.io.read("in.last_image") : Tensor()};
    return {{"hidden_states_-2", encode_images(images, context)}};
}

/// Replays the transformer. In the reference, hidden_states includes the condition, and each token has a timestep.
Outputs replay_transformer(const ReplayInput& input, const ForwardContext& context) {
    const auto config = transformer_config(input.files, input.component);
    const auto hidden_states = input.io.read("in.hidden_states").to(at::kFloat);
    const auto timestep = input.io.read("in.timestep").flatten().to(at::kDouble);
    Conditioning conditioning{.prompt_embeds = input.io.read("in.encoder_hidden_states").to(at::kFloat)};
    if (input.has("in.encoder_hidden_states_image"))
        conditioning.image_embeds = input.io.read("in.encoder_hidden_states_image").to(at::kFloat);
    if (config.has_vace()) {
        conditioning.condition = input.io.read("in.control_hidden_states").to(at::kFloat);
        conditioning.control_scale = input.io.read("in.control_hidden_states_scale").to(at::kFloat);
    } else if (config.condition_channels() > 0)
        conditioning.condition = hidden_states.slice(1, config.out_channels);
    else if (timestep[0].item<double>() != timestep[-1].item<double>())
        conditioning.condition = hidden_states.narrow(2, 0, 1);
    const auto model = load_component<Transformer>({input.files, input.component, Transformer::unneeded(config)},
                                                   config, input.policy.at(input.component));
    return {{"sample", model->predict({.latents = hidden_states.slice(1, 0, config.out_channels),
                                       .timestep = timestep[-1].item<double>(),
                                       .conditioning = conditioning},
                                      context)}};
}

Tensor replay_decode(Vae& vae, const Tensor& latents, const ForwardContext& context) {
    std::vector<Tensor> chunks;
    vae.decode_raw(latents, context, [&](const Tensor& frames) { chunks.push_back(frames); });
    return at::cat(chunks).permute({3, 0, 1, 2}).unsqueeze(0);
}

Outputs replay_vae(const ReplayInput& input, const ForwardContext& context) {
    const auto config = vae_config(input.files);
    const auto& precision = input.policy.at("vae");
    const auto decoder = load_component<Vae>({input.files, "vae", Vae::unneeded()}, config, precision);
    const auto encoder = load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()}, config, precision);
    Outputs outputs;
    for (const std::string frames : {"f1", "f5", "f9"}) {
        const auto video = input.io.read("in.encode_" + frames).squeeze(0).permute({1, 2, 3, 0});  // [F, H, W, 3]
        const auto source = [&](std::int64_t first, std::int64_t count) { return video.narrow(0, first, count); };
        const auto moments = encoder->moments(video.size(0), source, context).chunk(2, 1);
        outputs["encode_" + frames + ".mean"] = moments[0];
        outputs["encode_" + frames + ".logvar"] = moments[1];
        outputs["decode_" + frames] = replay_decode(*decoder, input.io.read("in.decode_" + frames), context);
    }
    return outputs;
}

}  // namespace

Outputs replay_component(const ReplayInput& input, const ForwardContext& context) {
    if (input.component == "text_encoder") return replay_text_encoder(input, context);
    if (input.component == "image_encoder") return replay_image_encoder(input, context);
    if (input.component == "vae") return replay_vae(input, context);
    return replay_transformer(input, context);
}

}  // namespace kinescope::wan
