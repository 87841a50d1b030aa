#pragma once

#include <cstdint>
#include <vector>

#include "core/device/precision.h"
#include "core/nn/linear.h"

namespace kinescope {

/// Returns the sinusoidal embedding of a timestep: [1, dim], the cosines and then the sines of t * 10000^(-i / (dim /
/// 2)), float32 on the CPU.
Tensor sinusoidal_embedding(double timestep, std::int64_t dim);
/// Returns the sinusoidal embedding of each of N values, [N, dim] on the device.
Tensor sinusoidal_embeddings(const std::vector<double>& values, std::int64_t dim, const Device& device);

struct TimestepEmbeddingConfig {
    std::int64_t frequencies = 0;  ///< number of sinusoids
    std::int64_t hidden = 0;
    std::int64_t out = 0;
};

/// Computes linear_2(silu(linear_1(sinusoids))), always in float32, because its rounding errors would affect every
/// modulation.
class TimestepEmbedding {
public:
    TimestepEmbedding() = default;
    TimestepEmbedding(const WeightScope& scope, const TimestepEmbeddingConfig& config, const Precision& precision);
    /// An embedding whose hidden and final width is `dim`.
    TimestepEmbedding(const WeightScope& scope, std::int64_t frequencies, std::int64_t dim, const Precision& precision)
        : TimestepEmbedding(scope, {.frequencies = frequencies, .hidden = dim, .out = dim}, precision) {}
    /// Returns [1, out] on the device.
    Tensor operator()(double timestep) const;
    /// Maps sinusoids [N, frequencies] on the device -> [N, out].
    Tensor project(const Tensor& sinusoids) const;

private:
    std::int64_t frequencies_ = 0;
    Device device_ = Device(at::kCPU);
    Linear linear_1_;
    Linear linear_2_;
};

}  // namespace kinescope
