#include "core/nn/group_norm.h"

#include <ATen/ATen.h>

#include "core/nn/norm_silu.h"
#include "core/nn/parameter.h"

namespace kinescope {

GroupNorm::GroupNorm(const WeightScope& scope, const GroupNormConfig& config, const Precision& precision)
    : weight_(to_float32(scope.take("weight", {config.channels}), precision)),
      bias_(to_float32(scope.take("bias", {config.channels}), precision)),
      config_(config) {}

Tensor GroupNorm::over_frame(const Tensor& frames) const {
    // The kernel for channels-last takes the variance as E[x^2] - E[x]^2, which loses digits.
    const auto x = frames.to(at::kFloat).permute({0, 3, 1, 2}).contiguous();
    return at::group_norm(x, config_.groups, weight_, bias_, config_.eps).permute({0, 2, 3, 1}).contiguous();
}

Tensor GroupNorm::over_video(const Tensor& frames) const {
    return over_frame(frames.flatten(0, 1).unsqueeze(0)).view(frames.sizes());
}

Tensor GroupNorm::over_frame_silu(const Tensor& frames) const {
    return group_norm_silu(frames, {.weight = weight_, .bias = bias_, .groups = config_.groups, .eps = config_.eps});
}

Tensor GroupNorm::over_video_silu(const Tensor& frames) const {
    return over_frame_silu(frames.unsqueeze(0)).squeeze(0);
}

}  // namespace kinescope
