#include "core/device/rng.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

namespace kinescope {

NoiseSource::NoiseSource(std::int64_t seed)
    : generator_(at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed))) {}

Tensor NoiseSource::normal(const std::vector<std::int64_t>& shape) {
    return at::randn(shape, generator_, at::TensorOptions().dtype(at::kFloat));
}

Tensor NoiseSource::snapshot() const {
    return generator_.get_state();
}

void NoiseSource::restore(const Tensor& state) {
    generator_.set_state(state);
}

}  // namespace kinescope
