#include "core/models/svd/vae_blocks.h"

#include <ATen/ATen.h>

namespace kinescope::svd {

FrameAttention::FrameAttention(const WeightScope& scope, const std::string& name, std::int64_t channels,
                               const Precision& precision)
    : norm_(vae_norm(scope / "group_norm", channels, precision)),
      attention_(scope, name, {.dim = channels, .num_heads = 1, .bias = Bias::present}, precision) {}

Tensor FrameAttention::forward(const Tensor& frames, const ForwardContext& context) const {
    const auto places = norm_.over_frame(frames, {}).flatten(1, 2);  // [F, H W, C]
    return frames + attention_(places, context).view(frames.sizes());
}

GroupNorm vae_norm(const WeightScope& scope, std::int64_t channels, const Precision& precision) {
    return {scope, {.channels = channels, .groups = kNormGroups, .eps = kVaeEps}, precision};
}

}  // namespace kinescope::svd
