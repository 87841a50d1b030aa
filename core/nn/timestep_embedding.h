#pragma once

#include <cstdint>

#include "core/device/precision.h"
#include "core/nn/linear.h"

namespace kinescope {

/// Returns the sinusoidal embedding of a timestep: [1, dim], the cosines and then the sines of t * 10000^(-i / (dim /
/// 2)), float32 on the CPU.
Tensor sinusoidal_embedding(double timestep, std::int64_t dim);

/// Computes linear_2(silu(linear_1(sinusoids))), always in float32, because its rounding errors would affect every
/// modulation.
class TimestepEmbedding {
public:
    TimestepEmbedding() = default;
    TimestepEmbedding(const WeightScope& scope, std::int64_t frequencies, std::int64_t dim, const Precision& precision);
    /// Returns [1, dim] on the device.
    Tensor operator()(double timestep) const;

private:
    std::int64_t frequencies_ = 0;
    Device device_ = Device(at::kCPU);
    Linear linear_1_;
    Linear linear_2_;
};

}  // namespace kinescope
