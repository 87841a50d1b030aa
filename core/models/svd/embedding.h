#pragma once

#include <cstdint>
#include <vector>

#include "core/device/precision.h"
#include "core/nn/linear.h"

namespace kinescope::svd {

struct EmbeddingConfig {
    std::int64_t in = 0;  ///< number of sinusoids
    std::int64_t hidden = 0;
    std::int64_t out = 0;
};

/// Computes linear_2(silu(linear_1(sinusoids))), always in float32.
class Embedding {
public:
    Embedding(const WeightScope& scope, const EmbeddingConfig& config, const Precision& precision);
    /// Maps `sinusoids` [N, in] -> [N, out].
    Tensor operator()(const Tensor& sinusoids) const;

private:
    Linear linear_1_, linear_2_;
};

/// Returns the sinusoids of each of N values: float32 [N, dim] on the device.
Tensor sinusoids(const std::vector<double>& values, std::int64_t dim, const Device& device);

}  // namespace kinescope::svd
