#include "core/weights/weight_addition.h"

#include <ATen/ATen.h>

namespace kinescope {

Tensor add_to_weight(const Tensor& weight, const std::vector<WeightAddition>& additions) {
    Tensor sum = weight.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
    const auto as_float = [&](const Tensor& part) { return part.to(sum.device(), at::kFloat); };
    for (const auto& [scale, down, up, diff] : additions) {
        const Tensor change =
            diff.defined() ? as_float(diff) : at::mm(as_float(up).flatten(1), as_float(down).flatten(1));
        sum.add_(change.view_as(sum), scale);
    }
    return sum;
}

}  // namespace kinescope
