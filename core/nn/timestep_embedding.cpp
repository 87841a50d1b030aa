#include "core/nn/timestep_embedding.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/device/host_copy.h"
#include "core/nn/parameter.h"

namespace kinescope {

Tensor sinusoidal_embedding(double timestep, std::int64_t dim) {
    const auto half = dim / 2;
    const auto frequencies = at::exp(at::arange(half, at::kFloat) * (-std::log(10000.0)) / static_cast<double>(half));
    const auto angles = frequencies * static_cast<float>(timestep);
    return at::cat({angles.cos(), angles.sin()}).unsqueeze(0);
}

TimestepEmbedding::TimestepEmbedding(const WeightScope& scope, std::int64_t frequencies, std::int64_t dim,
                                     const Precision& precision)
    : frequencies_(frequencies),
      device_(precision.device),
      linear_1_(scope / "linear_1", {.in = frequencies, .out = dim}, float32_compute(precision)),
      linear_2_(scope / "linear_2", {.in = dim, .out = dim}, float32_compute(precision)) {}

Tensor TimestepEmbedding::operator()(double timestep) const {
    return linear_2_(at::silu(linear_1_(sent_to(sinusoidal_embedding(timestep, frequencies_), device_))));
}

}  // namespace kinescope
