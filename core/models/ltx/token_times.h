#pragma once

#include <vector>

#include "core/device/precision.h"
#include "core/device/tensor.h"

namespace kinescope::ltx {

/// Consecutive tokens with the same timestep.
struct TokenSegment {
    std::int64_t tokens = 0;
    std::int64_t row = 0;  ///< index of the timestep in TokenTimes::timesteps
};

/// The timestep of each token.
struct TokenTimes {
    std::vector<double> timesteps;       ///< distinct timesteps, in the order of their first token
    std::vector<TokenSegment> segments;  ///< from the first token to the last
};

/// Returns the timestep of each token. A token with conditioning mask m is at min(timestep, 1000 (1 - m)). `mask` is
/// float32 [1, tokens] on the CPU. If it is undefined, all tokens are at `timestep`.
TokenTimes token_times(double timestep, const Tensor& mask, std::int64_t tokens);

/// The scale and shift of each channel at each timestep, float32 [timesteps, dim] each.
struct Modulation {
    Tensor scale;
    Tensor shift;
};

/// Returns x / sqrt(mean(x^2) + eps) * (1 + scale) + shift over the last dimension, in float32. `x` is [1, tokens,
/// dim].
Tensor modulated_rms_norm(const Tensor& x, double eps, const Modulation& modulation,
                          const std::vector<TokenSegment>& segments);
/// Returns layer_norm(x) * (1 + scale) + shift over the last dimension, in float32. `x` is [1, tokens, dim].
Tensor modulated_norm(const Tensor& x, double eps, const Modulation& modulation,
                      const std::vector<TokenSegment>& segments);
/// Returns x + update * gate. `x` is float32, `gate` is [timesteps, dim].
Tensor add_gated(const Tensor& x, const Tensor& update, const Tensor& gate, const std::vector<TokenSegment>& segments);

}  // namespace kinescope::ltx
