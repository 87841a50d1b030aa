#pragma once

#include <vector>

#include "core/device/precision.h"
#include "core/device/tensor.h"

namespace kinescope::ltx {

/// Neighboring tokens with the same timestep.
struct TokenSegment {
    std::int64_t tokens = 0;
    std::int64_t row = 0;  ///< index of the timestep in TokenTimes::timesteps
};

/// The timestep of each token.
struct TokenTimes {
    std::vector<double> timesteps;       ///< the distinct ones, in the order of their first token
    std::vector<TokenSegment> segments;  ///< from the first token to the last
};

/// A token with conditioning mask m is at min(timestep, 1000 (1 - m)). `mask` float32 [1, tokens] on the CPU;
/// undefined: all are at `timestep`.
TokenTimes token_times(double timestep, const Tensor& mask, std::int64_t tokens);

/// Scale and shift of each channel at each timestep: float32 [timesteps, dim] each.
struct Modulation {
    Tensor scale;
    Tensor shift;
};

/// x / sqrt(mean(x^2) + eps) * (1 + scale) + shift over the last dimension, in float32; x [1, tokens, dim].
Tensor modulated_rms_norm(const Tensor& x, double eps, const Modulation& modulation,
                          const std::vector<TokenSegment>& segments);
/// layer_norm(x) * (1 + scale) + shift.
Tensor modulated_norm(const Tensor& x, double eps, const Modulation& modulation,
                      const std::vector<TokenSegment>& segments);
/// x + update * gate; x float32, `gate` [timesteps, dim].
Tensor add_gated(const Tensor& x, const Tensor& update, const Tensor& gate, const std::vector<TokenSegment>& segments);

}  // namespace kinescope::ltx
