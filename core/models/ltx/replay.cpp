#include "core/models/ltx/replay.h"

#include <ATen/ATen.h>

#include "core/models/load_component.h"
#include "core/models/ltx/card.h"
#include "core/models/ltx/position_embedding.h"
#include "core/models/ltx/transformer.h"
#include "core/models/ltx/vae.h"
#include "core/models/ltx/vae_encoder.h"
#include "core/models/numbered.h"
#include "core/models/t5_prompt.h"

namespace kinescope::ltx {

namespace {

using Outputs = std::map<std::string, Tensor>;

std::int64_t whole(const CheckpointReader& io, const std::string& name) {
    return io.read(name).item<std::int64_t>();
}

/// Returns the coordinates in the case, which stores them directly or as a grid with the scale of each axis.
Tensor replay_coordinates(const ReplayInput& input, const VaeConfig& vae) {
    const auto& io = input.io;
    if (input.has("in.video_coords")) return io.read("in.video_coords");
    const auto seconds = io.read("in.rope_interpolation_scale")[0].to(at::kDouble).item<double>();
    return even_coordinates({whole(io, "in.num_frames"), whole(io, "in.height"), whole(io, "in.width")}, vae,
                            static_cast<double>(vae.temporal_compression) / seconds);
}

/// Replays the transformer. The case contains a timestep for each token instead of a mask; the largest one is the
/// timestep of the step.
Outputs replay_transformer(const ReplayInput& input, const ForwardContext& context) {
    const auto model = load_component<Transformer>({input.files, "transformer"}, transformer_config(input.files),
                                                   Direction::to_noise, input.policy.at("transformer"));
    const auto tokens = input.io.read("in.hidden_states");
    const auto timesteps = input.io.read("in.timestep").flatten().to(at::kFloat);
    Conditioning conditioning{.prompt_embeds = input.io.read("in.encoder_hidden_states"),
                              .attention_mask = input.io.read("in.encoder_attention_mask")};
    conditioning.details["video_coords"] = replay_coordinates(input, vae_config(input.files));
    const auto timestep = timesteps.max();
    if (timesteps.numel() > 1)
        conditioning.details["conditioning_mask"] =
            at::where(timesteps.lt(timestep), 1.0 - timesteps / 1000.0, 0.0).unsqueeze(0);
    const auto latents = tokens.transpose(1, 2).unsqueeze(-1).unsqueeze(-1);
    const auto predicted = model->predict(
        {.latents = latents, .timestep = timestep.to(at::kDouble).item<double>(), .conditioning = conditioning},
        context);
    return {{"sample", packed(predicted)}};
}

Outputs replay_text_encoder(const ReplayInput& input, const ForwardContext& context) {
    const auto encoder = load_t5(input.files, input.policy.at("text_encoder"));
    const auto ids = input.io.read("in.input_ids");
    const auto mask = input.io.read("in.attention_mask");
    // The case contains the block outputs of the run with a mask, so that run comes first.
    const auto masked = encoder->encode(ids, mask, context);
    return {{"last_hidden_state", encoder->encode(ids, {}, context)}, {"last_hidden_state.masked", masked}};
}

/// Returns the recorded noise of one decoding, plane by plane.
PlaneNoise recorded_noise(const CheckpointReader& io, const std::string& name) {
    return [&io, name, next = 0](std::int64_t, std::int64_t) mutable {
        return io.read("in." + name + "." + numbered("noise", next++).replace(5, 1, "."));
    };
}

Tensor with_channels_first(const Tensor& frames) {
    return frames.permute({3, 0, 1, 2}).unsqueeze(0);
}

Outputs replay_vae(const ReplayInput& input, const ForwardContext& context) {
    const auto config = vae_config(input.files);
    const auto& precision = input.policy.at("vae");
    const auto decoder = load_component<Vae>({input.files, "vae", Vae::unneeded()}, config, precision);
    const auto encoder = load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()}, config, precision);
    const auto timestep = input.has("in.temb") ? input.io.read("in.temb").item<double>() : 0.0;
    Outputs outputs;
    for (const auto& entry : input.io.entries()) {
        const bool is_noise = entry.name.find(".noise.") != entry.name.npos;
        const auto name = entry.name.substr(std::min<std::size_t>(3, entry.name.size()));
        if (entry.name.starts_with("in.encode_")) {
            const auto posterior = encoder->encode(input.io.read(entry.name), context);
            outputs[name + ".mean"] = posterior.mean;
            outputs[name + ".logvar"] = posterior.logvar.expand_as(posterior.mean);
        } else if (entry.name.starts_with("in.decode_") && !is_noise) {
            const auto begin_noise = [&] { return recorded_noise(input.io, name); };
            outputs[name] =
                with_channels_first(decoder->decode_raw(input.io.read(entry.name), timestep, begin_noise, context));
        }
    }
    return outputs;
}

}  // namespace

Outputs replay_component(const ReplayInput& input, const ForwardContext& context) {
    if (input.component == "text_encoder") return replay_text_encoder(input, context);
    if (input.component == "vae") return replay_vae(input, context);
    return replay_transformer(input, context);
}

}  // namespace kinescope::ltx
