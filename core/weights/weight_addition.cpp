#include "core/weights/weight_addition.h"

#include <ATen/ATen.h>

#include "core/weights/weight_scan.h"

namespace kinescope {

bool is_finite(const Tensor& stored) {
    if (!stored.defined()) return true;
    const WeightScan scan = scan_weight(stored.contiguous());
    return scan.nan + scan.inf == 0;
}

bool is_finite(const WeightAddition& addition) {
    return is_finite(addition.down) && is_finite(addition.up) && is_finite(addition.diff);
}

Tensor add_to_weight(const Tensor& weight, const std::vector<WeightAddition>& additions) {
    Tensor sum = weight.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
    add_in_place(sum, additions);
    return sum;
}

void add_in_place(Tensor& sum, const std::vector<WeightAddition>& additions) {
    const auto as_float = [&](const Tensor& part) { return part.to(sum.device(), at::kFloat); };
    for (const auto& [scale, down, up, diff, source] : additions) {
        const Tensor change =
            diff.defined() ? as_float(diff) : at::mm(as_float(up).flatten(1), as_float(down).flatten(1));
        sum.add_(change.view_as(sum), scale);
    }
}

}  // namespace kinescope
