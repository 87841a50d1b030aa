#include "core/models/svd/replay.h"

#include <ATen/ATen.h>

#include <string>
#include <utility>

#include "core/models/clip_vision.h"
#include "core/models/load_component.h"
#include "core/models/svd/card.h"
#include "core/models/svd/unet.h"
#include "core/models/svd/vae.h"
#include "core/models/svd/vae_encoder.h"

namespace kinescope::svd {

namespace {

using Outputs = std::map<std::string, Tensor>;

/// Collects the observed values while the elements of a batch run one by one.
class BatchProbe final : public Probe {
public:
    void observe(const Observation& seen) override {
        auto& values = values_[std::string(seen.site)];
        if (values.empty()) sites_.emplace_back(seen.site);
        values.push_back(seen.value.clone());  // modules modify the value in place
    }
    /// Returns the values of a site in the reference's layout: as one batch, channels before rows.
    Tensor batch(const std::string& site) const {
        const auto value = at::cat(values_.at(site));
        return value.dim() == 4 ? value.permute({0, 3, 1, 2}) : value;
    }
    /// Reports all collected values in the order of their first observation.
    void show(const ForwardContext& context) const {
        for (const auto& site : sites_) context.observe(site, batch(site));
    }

private:
    std::vector<std::string> sites_;
    std::map<std::string, std::vector<Tensor>> values_;
};

/// Runs the elements of the reference's batch one by one. The reference's sample contains latents and image latents.
Outputs replay_unet(const ReplayInput& input, const ForwardContext& context) {
    const auto& io = input.io;
    const auto config = unet_config(input.files);
    const auto unet = load_component<UNet>({input.files, "unet"}, config, input.policy.at("unet"));
    const auto samples = io.read("in.sample").transpose(1, 2);  // [B, 2 C, F, H, W]
    const auto timestep = io.read("in.timestep").flatten()[0].to(at::kDouble).item<double>();
    BatchProbe seen;
    std::vector<Tensor> outputs;
    for (std::int64_t i = 0; i < samples.size(0); ++i) {
        const auto parts = samples.narrow(0, i, 1).split(config.out_channels, 1);
        const Conditioning conditioning{.image_embeds = io.read("in.encoder_hidden_states").narrow(0, i, 1),
                                        .condition = parts[1],
                                        .added_time_ids = io.read("in.added_time_ids").narrow(0, i, 1)};
        outputs.push_back(unet->predict({.latents = parts[0], .timestep = timestep, .conditioning = conditioning},
                                        {seen, context.cancellation, "unet"}));
    }
    seen.show(context);
    return {{"sample", at::cat(outputs).transpose(1, 2)}};
}

Outputs replay_vae_encode(const ReplayInput& input, const ForwardContext& context) {
    const auto encoder = load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()},
                                                    vae_config(input.files), input.policy.at("vae"));
    BatchProbe seen;
    const auto moments = encoder->moments(input.io.read("in.x"), {seen, context.cancellation, "vae"});
    seen.show(context);
    return {{"moments", moments}};
}

Outputs replay_vae_decode(const ReplayInput& input, const ForwardContext& context) {
    const auto& precision = input.policy.at("vae");
    const auto frames = input.io.read("in.z").to(precision.device).permute({0, 2, 3, 1}).contiguous();
    const auto vae =
        load_component<Vae>({input.files, "vae", Vae::unneeded()}, vae_config(input.files), frames.size(0), precision);
    BatchProbe seen;
    const auto sample = vae->decode_chunk(frames, {seen, context.cancellation, "vae"});
    seen.show(context);
    return {{"sample", sample.permute({0, 3, 1, 2})}};
}

Outputs replay_image_encoder(const ReplayInput& input, const ForwardContext& context) {
    const auto encoder =
        load_clip_vision(input.files, ClipVisionEncoder::Use::image_embeds, input.policy.at("image_encoder"));
    BatchProbe seen;
    const auto embeds =
        encoder->image_embeds(input.io.read("in.pixel_values"), {seen, context.cancellation, "image_encoder"});
    seen.show(context);
    const auto last = "blocks." + std::to_string(clip_vision_config(input.files).num_hidden_layers - 1);
    return {{"image_embeds", embeds}, {"last_hidden_state", seen.batch(last)}};
}

}  // namespace

Outputs replay_component(const ReplayInput& input, const ForwardContext& context) {
    if (input.component == "unet") return replay_unet(input, context);
    if (input.component == "vae_encode") return replay_vae_encode(input, context);
    if (input.component == "vae_decode") return replay_vae_decode(input, context);
    if (input.component == "image_encoder") return replay_image_encoder(input, context);
    return {};
}

}  // namespace kinescope::svd
