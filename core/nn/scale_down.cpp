#include "core/nn/scale_down.h"

#include <ATen/ATen.h>

namespace kinescope {

ScaledDown scale_down(const Tensor& x) {
    const auto values = x.to(at::kFloat);
    const auto [least, most] = at::aminmax(values);
    const auto exponent = at::maximum(least.abs(), most.abs()).clamp_min(1.0).log2().ceil();
    const auto factor = at::exp2(exponent);
    return {values / factor, factor};
}

}  // namespace kinescope
