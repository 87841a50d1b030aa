#include "core/nn/group_norm.h"

#include <utility>

#include "core/nn/parameter.h"
#include "core/nn/rounding.h"

namespace kinescope {

GroupNorm::GroupNorm(const WeightScope& scope, const GroupNormConfig& config, const Precision& precision)
    : weight_(to_float32(scope.take("weight", {config.channels}), precision)),
      bias_(to_float32(scope.take("bias", {config.channels}), precision)),
      config_(config) {}

GroupNormParameters GroupNorm::parameters() const {
    return {.weight = weight_, .bias = bias_, .groups = config_.groups, .eps = config_.eps};
}

Tensor GroupNorm::over_frame(Tensor frames, const OpPrecision& op) const {
    measure_group_norm(op, frames, parameters());
    return group_norm(std::move(frames), parameters());
}

Tensor GroupNorm::over_frame_silu(Tensor frames, const OpPrecision& op) const {
    measure_group_norm(op, frames, parameters());
    return group_norm_silu(std::move(frames), parameters());
}

Tensor GroupNorm::over_video_silu(Tensor frames, const OpPrecision& op) const {
    auto video = frames.unsqueeze(0);
    frames.reset();  // so that the view is the only reference and its memory can be reused
    return over_frame_silu(std::move(video), op).squeeze(0);
}

}  // namespace kinescope
