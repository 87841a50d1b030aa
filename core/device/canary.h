#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/api/doctor_report.h"
#include "core/device/device_capability.h"
#include "core/device/fast_path.h"
#include "core/device/row_layer.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Operations that kill the process or return wrong results on some devices, drivers or libraries.
enum class CanaryOp {
    linear,            ///< shape {M, K, N}, with a bias: uses cuBLASLt on CUDA
    cancelling_sum,    ///< shape {M, K, N}: K/2 products of +8, then K/2 of -8; partial sums exceed float16's 65,504
    small_addends,     ///< shape {M, K, N}: 2048, then products of 1/32; float16 sums stay at 2048
    attention,         ///< shape {H, Lq, Lk, D}: random values
    causal_attention,  ///< shape {H, Lq, Lk, D}
    long_keys,         ///< shape {H, Lq, Lk, D}: equal scores, values 1; float16 sums of the values overflow
    large_scores,      ///< shape {H, Lq, Lk, D}: scores near 5e4 before scaling
    conv2d,            ///< shape {I, O, H, W}: 3x3, I to O channels, channels-last, with a bias, like Conv2d
    rsqrt,             ///< shape {N}
    stale_bias,        ///< shape {M, K, N}: baddbmm with beta 0 over memory that contained NaN
    float8_cast,       ///< shape {N}: values above 448 must saturate or become NaN
    many_scores,       ///< shape {H, L}: more than 2^31 scores in one tensor
    cudnn_attention,   ///< shape {H, Lq, Lk, D}
    tf32_conv2d,       ///< shape {I, O, H, W}, see conv2d
    gelu_product,      ///< shape {M, K, N}
    fused_load,        ///< no shape: the fused kernels must compile and load
    fused_norm,        ///< shape {L, C, stride}
    fused_rotary,      ///< shape {L, H, D}
    fused_sum,         ///< shape {L, C}
    fused_sum_norm,    ///< shape {L, C}
    fused_statistics,  ///< shape {L, C}
    fused_silu,        ///< shape {P, C}
};

struct CanaryProbe {
    std::string name;               ///< for display, with shape and dtype
    LocalizableMessage words = {};  ///< as in CanaryFinding::probe
    CanaryOp op = CanaryOp::linear;
    CanaryKind kind = CanaryKind::products;
    Dtype dtype = at::kFloat;
    std::vector<std::int64_t> shape;
    double tolerance = 0;  ///< maximum error relative to the largest value of the float32 result on the CPU

    /// Returns the fast path that the probe compares with what it replaces, or nullopt for all other probes.
    std::optional<FastPath> fast_path() const;
    /// Returns true if the probe examines fused kernels, which must be compiled first.
    bool is_fused() const;
    /// Returns true if the device works without the probed operation as well.
    bool is_optional() const { return is_fused() || fast_path(); }
};

/// What a probe found. The times are those of a fast path and of what it replaces; 0 for other probes.
struct ProbeMeasurement {
    double error = 0;  ///< largest error; NaN or infinite if the result is not finite
    double fast_seconds = 0;
    double plain_seconds = 0;
};

/// Returns the shape as text: "16x32768x64".
std::string shape_text(const std::vector<std::int64_t>& shape);

/// Returns the probes for a device. Their shapes come from the models (`row_layers` of every family, with 1 and 2 rows)
/// and from published bug reports. CPUs get smaller shapes, because their libraries select kernels by other criteria.
/// Pure.
std::vector<CanaryProbe> canary_probes(const DeviceCapability& device, const RowLayers& row_layers);

/// Runs a probe on a device and compares the result with float32 on the CPU, or that of a fast path with what it
/// replaces. Passes on all exceptions of LibTorch.
ProbeMeasurement run_probe(const CanaryProbe& probe, const Device& device);

/// The part of run_probe for optional probes. Allows only the probe's fast path on the device.
ProbeMeasurement run_optional_probe(const CanaryProbe& probe, const Device& device);

/// LibTorch switches that avoid a failing kernel.
struct BackendSwitches {
    bool plain_cublas = false;  ///< cuBLAS instead of cuBLASLt
    bool no_cudnn = false;
    bool no_onednn = false;  ///< CPU only
    bool operator==(const BackendSwitches&) const = default;
    bool any() const { return *this != BackendSwitches{}; }
    BackendSwitches& operator|=(const BackendSwitches& other);
};

/// Sets the switches of LibTorch. Call this before any computation on the device, because LibTorch reads some of them
/// only at its first matrix product.
void apply_backend_switches(const BackendSwitches& switches);

/// Describes the switches: "cuBLAS instead of cuBLASLt, cuDNN off".
std::string to_string(const BackendSwitches& switches);

/// Returns the fallbacks that the switches select.
std::vector<CanaryFallback> fallbacks_of(const BackendSwitches& switches);

/// Returns the switches that may fix a failed probe on a device. Try them one at a time.
std::vector<BackendSwitches> alternatives(const CanaryProbe& probe, const DeviceCapability& device);

}  // namespace kinescope
