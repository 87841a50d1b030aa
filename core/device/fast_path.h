#pragma once

#include <set>
#include <string>

namespace kinescope {

/// Faster ways to compute an op. A device uses only those that the canary has found right and not slower on it.
enum class FastPath {
    fused_norm,        ///< own CUDA kernel: layer norm or RMS norm, modulation, conversion
    fused_rotary,      ///< own CUDA kernel: RMS norm, rotary embedding, conversion
    fused_sum,         ///< own CUDA kernel: residual stream plus gated update, and the statistics of both
    fused_sum_norm,    ///< own CUDA kernel: fused_sum and the norm of the sum
    fused_statistics,  ///< own CUDA kernel: all statistics of a tensor
    fused_silu,        ///< own CUDA kernel: normalization of each pixel, SiLU
    cudnn_attention,   ///< attention in 16 bits by cuDNN
    tf32_convolution,  ///< float32 convolutions whose operands are rounded to TF32
    gelu_product,      ///< cuBLASLt applies the GELU to the product of a linear layer
};

using FastPaths = std::set<FastPath>;

/// Returns the name for messages: "fused norm".
std::string to_string(FastPath path);

/// Returns true for the kernels of this program, which must be compiled before use.
bool is_fused_kernel(FastPath path);

}  // namespace kinescope
