#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// Generates standard normal float32 noise on the CPU. A seed produces the same noise for every device, identical to
/// that of torch.Generator("cpu").manual_seed(seed), draw for draw.
class NoiseSource {
public:
    explicit NoiseSource(std::uint64_t seed);
    Tensor normal(const std::vector<std::int64_t>& shape);

    /// Returns the generator's state. If it is restored, a repeated step draws the same noise.
    Tensor snapshot() const;
    void restore(const Tensor& state);

private:
    struct Generator;
    std::shared_ptr<Generator> generator_;
};

}  // namespace kinescope
