#include "core/device/rng.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

namespace kinescope {

Tensor seeded_noise(std::int64_t seed, const std::vector<std::int64_t>& shape) {
    auto generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
    return at::randn(shape, generator, at::TensorOptions().dtype(at::kFloat));
}

}  // namespace kinescope
