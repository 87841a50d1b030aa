#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Norms of channels-last tensors in float32. Functions named `..._silu` then apply silu. They accept any dtype. On the
/// CPU, float32 input takes one pass, and its memory is reused if nothing else refers to it: move in tensors that are
/// no longer needed.

/// Returns silu(x / max(|x|, 1e-12) * gain), where |x| is the Euclidean length over the last dimension. `gain` is [C]
/// float32.
Tensor unit_length_silu(Tensor x, const Tensor& gain);

/// The parameters of a group norm of x [N, ..., C] over all dimensions except the first. Weight and bias are [C]
/// float32.
struct GroupNormParameters {
    const Tensor& weight;
    const Tensor& bias;
    std::int64_t groups = 32;
    double eps = 1e-6;
};
Tensor group_norm_silu(Tensor x, const GroupNormParameters& norm);
/// Returns the group norm of x, without silu.
Tensor group_norm(Tensor x, const GroupNormParameters& norm);

/// Scale and shift per position for modulated_group_norm_silu, which applies a group norm over a whole video [T, H, W,
/// C], then scale and shift, then silu. `scale` and `shift` are [t, h, w, C]; T, H and W are multiples of t, h and w,
/// and neighboring positions share a value.
struct PlaceModulation {
    Tensor scale;
    Tensor shift;
};
Tensor modulated_group_norm_silu(Tensor frames, const GroupNormParameters& norm, const PlaceModulation& places);

}  // namespace kinescope
