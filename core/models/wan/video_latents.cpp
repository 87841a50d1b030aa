#include "core/models/wan/video_latents.h"

#include <ATen/ATen.h>

#include "core/device/block_reuse.h"
#include "core/models/load_component.h"
#include "core/models/pil_resize.h"
#include "core/models/video_pixels.h"
#include "core/models/wan/vae_encoder.h"

namespace kinescope::wan {

Tensor encode_video(const EncodeInput& input, int num_frames, const VaeConfig& config, const ForwardContext& context) {
    const auto& content = input.request.content;
    const auto frames = resized_frames(input.video, num_frames, {content.width, content.height});
    if (input.record) input.record("video_pixels", as_video(signed_pixels(frames)));
    const auto encoder =
        load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()}, config, input.policy.at("vae"));
    const BlockReuse reuse(BlockReuse::Surplus::none);
    return encoder->encode(
        num_frames,
        [&](std::int64_t first, std::int64_t count) { return signed_pixels(frames.narrow(0, first, count)); }, context);
}

Tensor noised(const Tensor& video, const Tensor& noise, double sigma) {
    return video.cpu() * (1.0 - sigma) + noise * sigma;
}

}  // namespace kinescope::wan
