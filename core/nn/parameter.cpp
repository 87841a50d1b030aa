#include "core/nn/parameter.h"

#include <ATen/ATen.h>

namespace kinescope {

Tensor to_storage(const Tensor& stored, const Precision& precision) {
    return stored.defined() ? stored.to(precision.device, precision.storage) : stored;
}

Tensor to_float32(const Tensor& stored, const Precision& precision) {
    return stored.defined() ? stored.to(precision.device, at::kFloat) : stored;
}

Precision float32_compute(Precision precision) {
    precision.storage = precision.compute = at::kFloat;
    return precision;
}

}  // namespace kinescope
