#pragma once

#include <cstdint>

#include "core/device/precision.h"
#include "core/nn/norm_silu.h"
#include "core/weights/weight_store.h"

namespace kinescope {

struct GroupNormConfig {
    std::int64_t channels = 0;
    std::int64_t groups = 32;
    double eps = 1e-6;
};

/// Group norm with weight and bias of shape [C], in float32. Frames lie [T, H, W, C]. Any dtype in, float32 out, in
/// the memory of what is handed over where it may be (norm_silu.h).
class GroupNorm {
public:
    GroupNorm() = default;
    GroupNorm(const WeightScope& scope, const GroupNormConfig& config, const Precision& precision);

    /// Mean and variance of each frame by itself.
    Tensor over_frame(Tensor frames) const;
    /// The same with x sigmoid(x) behind it.
    Tensor over_frame_silu(Tensor frames) const;
    /// Mean and variance of all frames together, with x sigmoid(x) behind them.
    Tensor over_video_silu(Tensor frames) const;

private:
    GroupNormParameters parameters() const;

    Tensor weight_;
    Tensor bias_;
    GroupNormConfig config_;
};

}  // namespace kinescope
