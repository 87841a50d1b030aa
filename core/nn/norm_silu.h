#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Norms of channels-last values, with x sigmoid(x) behind them where the name says so, in float32: any dtype in. One
/// pass over float32 values on the CPU, and in their own memory where nobody else refers to it: hand over what is not
/// needed any more.

/// silu(x / max(|x|, 1e-12) gain), |x| being the length over the last dimension. `gain` [C] float32.
Tensor unit_length_silu(Tensor x, const Tensor& gain);

/// Group norm over all but the last dimension of each of x's first ones; [N, ..., C]. Weight and bias [C] float32.
struct GroupNormParameters {
    const Tensor& weight;
    const Tensor& bias;
    std::int64_t groups = 32;
    double eps = 1e-6;
};
Tensor group_norm_silu(Tensor x, const GroupNormParameters& norm);
/// The same without silu.
Tensor group_norm(Tensor x, const GroupNormParameters& norm);

/// Group norm over a whole video [T, H, W, C], times a scale and plus a shift of each place, through silu. Those are
/// [t, h, w, C]: T, H and W are multiples of their sizes, and neighbours share one.
struct PlaceModulation {
    Tensor scale;
    Tensor shift;
};
Tensor modulated_group_norm_silu(Tensor frames, const GroupNormParameters& norm, const PlaceModulation& places);

}  // namespace kinescope
