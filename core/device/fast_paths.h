#pragma once

#include <optional>

#include "core/device/fast_path.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Allows ops on a device to use these paths. Before the first call they use none. Call it on the worker thread,
/// between runs.
void allow_fast_paths(const Device& device, const FastPaths& paths);

/// Forbids a path that has failed on a device.
void forbid_fast_path(const Device& device, FastPath path);

bool is_allowed(FastPath path, const Device& device);

/// Returns all paths that are allowed on a device.
FastPaths allowed_fast_paths(const Device& device);

/// The operands of attention without a bias, each [B, H, L, D]. A missing scale stands for 1 / sqrt(D).
struct AttentionOperands {
    const Tensor& query;
    const Tensor& key;
    const Tensor& value;
    std::optional<double> scale = {};
};

/// Returns the result of cuDNN's attention. Passes on all exceptions of LibTorch.
Tensor attend_by_cudnn(const AttentionOperands& in);

/// Returns the result of cuDNN's attention, or an undefined tensor if the path is not allowed on the device or does not
/// take these operands. If cuDNN refuses them, logs this and forbids the path. Passes on out of memory and the loss of
/// the device.
Tensor cudnn_attention(const AttentionOperands& in);

/// Returns gelu(x W^T + bias) with the tanh approximation, which cuBLASLt applies to the sums before it rounds them.
/// Takes operands of one 16-bit dtype on a CUDA device.
Tensor linear_gelu(const Tensor& x, const Tensor& weight, const Tensor& bias);

/// Allows TF32 in the convolutions that start during its lifetime, if the device may use the path.
class Tf32Convolutions {
public:
    explicit Tf32Convolutions(const Device& device);
    ~Tf32Convolutions();
    Tf32Convolutions(const Tf32Convolutions&) = delete;
    Tf32Convolutions& operator=(const Tf32Convolutions&) = delete;

private:
    bool was_allowed_;
};

}  // namespace kinescope
