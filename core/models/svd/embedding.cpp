#include "core/models/svd/embedding.h"

#include <ATen/ATen.h>

#include "core/device/host_copy.h"
#include "core/nn/parameter.h"
#include "core/nn/timestep_embedding.h"

namespace kinescope::svd {

Embedding::Embedding(const WeightScope& scope, const EmbeddingConfig& config, const Precision& precision)
    : linear_1_(scope / "linear_1", {.in = config.in, .out = config.hidden}, float32_compute(precision)),
      linear_2_(scope / "linear_2", {.in = config.hidden, .out = config.out}, float32_compute(precision)) {}

Tensor Embedding::operator()(const Tensor& sinusoids) const {
    return linear_2_(at::silu(linear_1_(sinusoids)));
}

Tensor sinusoids(const std::vector<double>& values, std::int64_t dim, const Device& device) {
    std::vector<Tensor> rows;
    for (const auto value : values) rows.push_back(sinusoidal_embedding(value, dim));
    return sent_to(at::cat(rows), device);
}

}  // namespace kinescope::svd
