#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Compiles and loads the kernels for a CUDA device, unless they are loaded. Throws Error(unsupported) if that is not
/// possible.
void load_fused_kernels(const Device& device);

/// The following functions run CUDA kernels that do the work of several of LibTorch's ops in one pass over memory. They
/// return an undefined tensor if the kernel's FastPath is not allowed on the tensor's device, or if the kernel does not
/// take such operands. If an allowed kernel cannot be loaded, they log this once, and all kernels are off.

enum class NormKind { layer, rms };

/// The operands of norm(x) * weight * (1 + scale) + bias * (1 + scale) + shift over the last dimension. Vectors are
/// float32 and may be undefined. The first rows may have a scale and shift of their own.
struct FusedNormInput {
    const Tensor& x;  ///< float32, float16 or bfloat16
    NormKind kind = NormKind::layer;
    double eps = 0;
    Tensor weight = {}, bias = {}, scale = {}, shift = {}, first_scale = {}, first_shift = {};
    std::int64_t first_rows = 0;
};
Tensor fused_norm(const FusedNormInput& input, Dtype result);

/// Returns the RMS norm of x [1, L, H * D] times `weight`, with each pair of channels multiplied by a complex number of
/// `table` [L, D / 2]: [1, L, H, D].
struct FusedRotaryInput {
    const Tensor& x;
    const Tensor& weight;
    double eps = 0;
    const Tensor& table;
};
Tensor fused_normed_rotary(const FusedRotaryInput& input, Dtype result);

enum class SumStatistics { none, both };

/// The operands of x + update * gate. `x` is float32 [1, L, C]. An undefined gate stands for 1.
struct FusedSumInput {
    const Tensor& x;
    const Tensor& update;
    Tensor gate = {}, first_gate = {};
    std::int64_t first_rows = 0;
    SumStatistics statistics = SumStatistics::none;
};
/// The sum, and rows of statistics (see stat_row) of the update and the sum.
struct FusedSum {
    Tensor sum, update_row, sum_row;
};
FusedSum fused_gated_sum(const FusedSumInput& input);

/// The sum, and the norm of the sum. `norm.x` is not used. Everything is undefined if no kernel takes the operands.
struct FusedSumNorm {
    FusedSum sum;
    Tensor normed;
};
FusedSumNorm fused_sum_norm(const FusedSumInput& input, const FusedNormInput& norm, Dtype result);

/// Returns silu(x / max(|x|, shortest) * gain) in float32, where |x| is the Euclidean norm over the last dimension. x
/// is contiguous; `gain` is float32 [C]. If `result` is defined, writes to it: it must be float32 and contiguous,
/// and may be x.
Tensor fused_unit_length_silu(const Tensor& x, const Tensor& gain, double shortest, Tensor result = {});

/// Returns the row of stat_row with NonFinite::counts.
Tensor fused_statistics(const Tensor& value);

}  // namespace kinescope
