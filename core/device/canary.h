#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device/device_capability.h"
#include "core/device/tensor.h"

namespace kinescope {

/// The operations that are known to kill a process or to answer wrongly on some device, driver or library.
enum class CanaryOp {
    linear,            ///< shape {M, K, N}, with a bias: cuBLASLt multiplies it on CUDA
    cancelling_sum,    ///< shape {M, K, N}: K/2 products of +8, then K/2 of -8; half sums pass 65,536
    small_addends,     ///< shape {M, K, N}: 2048, then products of 1/32; half sums stay where they began
    attention,         ///< shape {H, Lq, Lk, D}: random values
    causal_attention,  ///< shape {H, Lq, Lk, D}
    long_keys,         ///< shape {H, Lq, Lk, D}: equal scores, values 1; half sums of the values overflow
    large_scores,      ///< shape {H, Lq, Lk, D}: scores near 5e4 before they are scaled
    conv2d,            ///< shape {I, O, H, W}: 3x3, I to O channels, channels-last, with a bias: as Conv2d does
    rsqrt,             ///< shape {N}
    stale_bias,        ///< shape {M, K, N}: baddbmm with beta 0 over memory that held NaN
    float8_cast,       ///< shape {N}: values beyond 448 must saturate or become NaN
    many_scores,       ///< shape {H, L}: more than 2^31 scores in one tensor
};

struct CanaryProbe {
    std::string name;       ///< for people, with its shape and dtype
    std::string what = {};  ///< the same without them
    CanaryOp op = CanaryOp::linear;
    Dtype dtype = at::kFloat;
    std::vector<std::int64_t> shape;
    double tolerance = 0;  ///< of the error, relative to the largest value of float32 on the CPU
};

/// "16x32768x64"
std::string shape_text(const std::vector<std::int64_t>& shape);

/// Pure: what is tried on a device, with the shapes of the models (time embedders and adaLN of every family, for 1 and
/// 2 rows) and of the published cases; smaller ones on a CPU, whose libraries choose kernels by other rules.
std::vector<CanaryProbe> canary_probes(const DeviceCapability& device);

/// Runs a probe on a device and compares it with float32 on the CPU: the largest error, NaN or infinite where the
/// result is not finite. Throws what LibTorch throws.
double run_probe(const CanaryProbe& probe, const Device& device);

/// LibTorch's ways around a kernel that fails.
struct BackendSwitches {
    bool plain_cublas = false;  ///< cuBLAS in place of cuBLASLt
    bool no_cudnn = false;
    bool no_onednn = false;  ///< CPU
    bool operator==(const BackendSwitches&) const = default;
    bool any() const { return *this != BackendSwitches{}; }
    BackendSwitches& operator|=(const BackendSwitches& other);
};

/// LibTorch reads some of them at its first product only: call this before anything is computed on the device.
void apply_backend_switches(const BackendSwitches& switches);

/// "cuBLAS in place of cuBLASLt, cuDNN off"
std::string to_string(const BackendSwitches& switches);

/// The ways around that may cure a probe on a device, one by one.
std::vector<BackendSwitches> alternatives(const CanaryProbe& probe, const DeviceCapability& device);

}  // namespace kinescope
