#include "core/models/frame_wise_noise.h"

#include <ATen/ATen.h>

#include <utility>

namespace kinescope {

Tensor frame_wise_noise(NoiseSource& noise, std::vector<std::int64_t> shape) {
    std::swap(shape[1], shape[2]);
    return noise.normal(shape).transpose(1, 2).contiguous();
}

}  // namespace kinescope
