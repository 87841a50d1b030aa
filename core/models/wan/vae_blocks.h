#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/nn/causal_conv3d.h"

namespace kinescope::wan {

/// What the convolutions remember of the chunks before, for one video.
class DecoderState {
public:
    bool is_first_chunk() const { return chunk_ == 0; }
    void next_chunk() { ++chunk_; }
    Tensor& history(const CausalConv3d& conv) { return histories_[&conv]; }

private:
    int chunk_ = 0;
    std::unordered_map<const CausalConv3d*, Tensor> histories_;
};

/// x / max(|x|, 1e-12) sqrt(C) gamma over the channels, in float32: the norm of the Wan VAE.
class ChannelNorm {
public:
    enum class Rank { picture, video };  ///< gamma is stored [C, 1, 1] or [C, 1, 1, 1]

    ChannelNorm() = default;
    ChannelNorm(const WeightScope& scope, std::int64_t channels, Rank rank, const Precision& precision);
    /// Any dtype in, float32 out, a tensor of its own.
    Tensor operator()(const Tensor& frames) const;

private:
    Tensor gamma_;  ///< [C], times sqrt(C)
};

/// x + conv2(silu(norm2(conv1(silu(norm1(x)))))), with a pointwise shortcut where the channels differ. Frames are
/// [T, H, W, C]; the stream is float32.
class ResidualBlock {
public:
    ResidualBlock(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision);
    Tensor forward(const Tensor& frames, DecoderState& state, const OpPrecision& op) const;

private:
    ChannelNorm norm1_, norm2_;
    CausalConv3d conv1_, conv2_;
    bool has_shortcut_ = false;
    Linear shortcut_;
};

/// Attention of one head among the places of each frame.
class FrameAttention {
public:
    FrameAttention(const WeightScope& scope, std::int64_t channels, const Precision& precision);
    Tensor forward(const Tensor& frames, const OpPrecision& op) const;

private:
    ChannelNorm norm_;
    Linear to_qkv_, proj_;
};

/// Twice the size, half the channels; in time too if it has a time_conv, except for the first chunk.
class Upsampler {
public:
    enum class Mode { space, space_and_time };

    Upsampler(const WeightScope& scope, std::int64_t channels, Mode mode, const Precision& precision);
    Tensor forward(const Tensor& frames, DecoderState& state, const OpPrecision& op) const;

private:
    Tensor double_time(const Tensor& frames, DecoderState& state, const OpPrecision& op) const;

    Mode mode_;
    CausalConv3d time_conv_;
    Conv2d conv_;
};

/// A weight of a 1x1 or 1x1x1 convolution as a matrix product over the channels.
Linear pointwise_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, std::int64_t kernel_rank,
                      const Precision& precision);

}  // namespace kinescope::wan
