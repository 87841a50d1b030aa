#pragma once

#include "core/device/tensor.h"

namespace kinescope {

/// Calls `work` with a value of the type of the weight: bfloat16, float16 or float32.
template <class Work>
void with_stored_type(const Tensor& weight, const Work& work) {
    switch (weight.scalar_type()) {
        case at::kBFloat16:
            return work(at::BFloat16());
        case at::kHalf:
            return work(at::Half());
        default:
            return work(float());
    }
}

}  // namespace kinescope
