#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/svd/attention.h"
#include "core/models/svd/res_block.h"

namespace kinescope::svd {

/// Epsilons of the norms of the VAE: of all norms except the temporal ones, and of the temporal ones.
inline constexpr double kVaeEps = 1e-6;
inline constexpr double kVaeTemporalEps = 1e-5;

/// Single-head attention over the pixels of each frame, added to the frame. Sites: those of SelfAttention.
class FrameAttention {
public:
    FrameAttention(const WeightScope& scope, const std::string& name, std::int64_t channels,
                   const Precision& precision);
    /// Maps `frames` float32 [F, H, W, C] -> float32 [F, H, W, C].
    Tensor forward(const Tensor& frames, const ForwardContext& context) const;

private:
    GroupNorm norm_;
    SelfAttention attention_;
};

/// Returns the group norm before the last convolution of encoder and decoder.
GroupNorm vae_norm(const WeightScope& scope, std::int64_t channels, const Precision& precision);

}  // namespace kinescope::svd
