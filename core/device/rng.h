#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// Standard normal float32 noise from a CPU generator. A seed produces the same noise for every device, identical to
/// that of torch.Generator("cpu").manual_seed(seed), draw for draw.
class NoiseSource {
public:
    explicit NoiseSource(std::int64_t seed);
    Tensor normal(const std::vector<std::int64_t>& shape);

    /// The generator's state, so that a repeated step draws the same noise.
    Tensor snapshot() const;
    void restore(const Tensor& state);

private:
    struct Generator;
    std::shared_ptr<Generator> generator_;
};

}  // namespace kinescope
