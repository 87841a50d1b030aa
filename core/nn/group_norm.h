#pragma once

#include <cstdint>

#include "core/device/precision.h"
#include "core/nn/norm_silu.h"
#include "core/nn/parameter.h"
#include "core/weights/weight_store.h"

namespace kinescope {

struct GroupNormConfig {
    std::int64_t channels = 0;
    std::int64_t groups = 32;
    double eps = 1e-6;
};

/// Group norm with weight and bias of shape [C], in float32. Frames have layout [T, H, W, C]. Accepts any dtype and
/// returns float32, in the memory of the argument if possible (see norm_silu.h). `op`: the product that reads the
/// result, to measure how far the norm amplifies rounding (see measure_group_norm). A default OpPrecision measures
/// nothing.
class GroupNorm {
public:
    GroupNorm() = default;
    GroupNorm(const WeightScope& scope, const GroupNormConfig& config, const Precision& precision);

    /// Normalizes each frame with its own mean and variance.
    Tensor over_frame(Tensor frames, const OpPrecision& op) const;
    /// Normalizes each frame with its own mean and variance, then applies silu.
    Tensor over_frame_silu(Tensor frames, const OpPrecision& op) const;
    /// Normalizes with the mean and variance over all frames, then applies silu.
    Tensor over_video_silu(Tensor frames, const OpPrecision& op) const;

private:
    GroupNormParameters parameters() const;

    Tensor weight_;
    Tensor bias_;
    GroupNormConfig config_;
};

}  // namespace kinescope
