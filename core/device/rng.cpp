#include "core/device/rng.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

namespace kinescope {

struct NoiseSource::Generator {
    at::Generator of_torch;
};

NoiseSource::NoiseSource(std::uint64_t seed)
    : generator_(std::make_shared<Generator>(Generator{at::make_generator<at::CPUGeneratorImpl>(seed)})) {}

Tensor NoiseSource::normal(const std::vector<std::int64_t>& shape) {
    return at::randn(shape, generator_->of_torch, at::TensorOptions().dtype(at::kFloat));
}

Tensor NoiseSource::snapshot() const {
    return generator_->of_torch.get_state();
}

void NoiseSource::restore(const Tensor& state) {
    generator_->of_torch.set_state(state);
}

}  // namespace kinescope
