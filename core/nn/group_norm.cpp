#include "core/nn/group_norm.h"

#include "core/nn/parameter.h"

namespace kinescope {

GroupNorm::GroupNorm(const WeightScope& scope, const GroupNormConfig& config, const Precision& precision)
    : weight_(to_float32(scope.take("weight", {config.channels}), precision)),
      bias_(to_float32(scope.take("bias", {config.channels}), precision)),
      config_(config) {}

GroupNormParameters GroupNorm::parameters() const {
    return {.weight = weight_, .bias = bias_, .groups = config_.groups, .eps = config_.eps};
}

Tensor GroupNorm::over_frame(const Tensor& frames) const {
    return group_norm(frames, parameters());
}

Tensor GroupNorm::over_frame_silu(const Tensor& frames) const {
    return group_norm_silu(frames, parameters());
}

Tensor GroupNorm::over_video_silu(const Tensor& frames) const {
    return over_frame_silu(frames.unsqueeze(0)).squeeze(0);
}

}  // namespace kinescope
