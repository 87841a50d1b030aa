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

Tensor sinusoidal_embeddings(const std::vector<double>& values, std::int64_t dim, const Device& device) {
    std::vector<Tensor> rows;
    for (const auto value : values) rows.push_back(sinusoidal_embedding(value, dim));
    return sent_to(at::cat(rows), device);
}

TimestepEmbedding::TimestepEmbedding(const WeightScope& scope, const TimestepEmbeddingConfig& config,
                                     const Precision& precision)
    : frequencies_(config.frequencies),
      device_(precision.device),
      linear_1_(scope / "linear_1", {.in = config.frequencies, .out = config.hidden}, float32_compute(precision)),
      linear_2_(scope / "linear_2", {.in = config.hidden, .out = config.out}, float32_compute(precision)) {}

Tensor TimestepEmbedding::operator()(double timestep) const {
    return project(sent_to(sinusoidal_embedding(timestep, frequencies_), device_));
}

Tensor TimestepEmbedding::project(const Tensor& sinusoids) const {
    return linear_2_(at::silu(linear_1_(sinusoids)));
}

}  // namespace kinescope
