#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/svd/attention.h"
#include "core/models/svd/res_block.h"

namespace kinescope::svd {

/// Of all norms of the VAE but those along time.
inline constexpr double kVaeEps = 1e-6;
inline constexpr double kVaeTemporalEps = 1e-5;

/// Attention of one head among the places of each frame, added to the frame. Sites: those of SelfAttention.
class FrameAttention {
public:
    FrameAttention(const WeightScope& scope, const std::string& name, std::int64_t channels,
                   const Precision& precision);
    /// [F, H, W, C] float32 -> the same.
    Tensor forward(const Tensor& frames, const ForwardContext& context) const;

private:
    GroupNorm norm_;
    SelfAttention attention_;
};

/// The group norm that stands before the last convolution of encoder and decoder.
GroupNorm vae_norm(const WeightScope& scope, std::int64_t channels, const Precision& precision);

}  // namespace kinescope::svd
