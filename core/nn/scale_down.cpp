#include "core/nn/scale_down.h"

#include <ATen/ATen.h>

namespace kinescope {

namespace {

constexpr double kProductLimit = 32768.0;

}  // namespace

Tensor product_gain(const Tensor& weight) {
    const auto row_sums = at::linalg_vector_norm(weight.flatten(1), 1, {1}, /*keepdim=*/false, at::kFloat);
    // The minimum of 1 keeps x itself in range. There is no further margin, because small values would lose precision.
    return row_sums.amax().clamp_min(1.0) / kProductLimit;
}

ScaledDown scale_down(const Tensor& x, const Tensor& gain) {
    const auto values = x.to(at::kFloat);
    const auto [least, most] = at::aminmax(values);
    const auto exponent = (at::maximum(least.abs(), most.abs()) * gain).clamp_min(1.0).log2().ceil();
    const auto factor = at::exp2(exponent);
    return {values / factor, factor};
}

}  // namespace kinescope
