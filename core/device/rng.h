#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// Standard normal noise in float32 from a CPU generator: a seed gives the same noise on every device, and the noise
/// that torch.Generator("cpu").manual_seed(seed) gives, draw after draw.
class NoiseSource {
public:
    explicit NoiseSource(std::int64_t seed);
    Tensor normal(const std::vector<std::int64_t>& shape);

    /// The generator's state: a retried step draws what the failed one drew.
    Tensor snapshot() const;
    void restore(const Tensor& state);

private:
    struct Generator;
    std::shared_ptr<Generator> generator_;
};

}  // namespace kinescope
