#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/nn/block_site.h"
#include "core/nn/causal_conv3d.h"

namespace kinescope::wan {

/// The frames that the layers of an encoder or decoder cache from earlier chunks of one video.
class ChunkState {
public:
    bool is_first_chunk() const { return chunk_ == 0; }
    void next_chunk() { ++chunk_; }
    /// Returns the cached frames of a layer. They are undefined before the layer's first chunk. `layer` serves only as
    /// a key.
    Tensor& history(const void* layer) { return histories_[layer]; }

private:
    int chunk_ = 0;
    std::unordered_map<const void*, Tensor> histories_;
};

/// The norm of the Wan VAE: x / max(|x|, 1e-12) * sqrt(C) * gamma over the channels, in float32.
class ChannelNorm {
public:
    enum class Rank { picture, video };  ///< gamma is stored [C, 1, 1] or [C, 1, 1, 1]

    ChannelNorm() = default;
    ChannelNorm(const WeightScope& scope, std::int64_t channels, Rank rank, const Precision& precision);
    /// Returns the norm of `frames`, of any dtype, as a new float32 tensor.
    Tensor operator()(const Tensor& frames) const;
    /// Applies the norm, then silu: x * sigmoid(x).
    Tensor silu(Tensor frames) const;

private:
    Tensor gamma_;  ///< [C], times sqrt(C)
};

/// Computes x + conv2(silu(norm2(conv1(silu(norm1(x)))))), with a pointwise shortcut if the channels differ. Frames are
/// [T, H, W, C]; the stream is float32. Inner sites: "conv1", "conv2", "conv_shortcut".
class ResidualBlock {
public:
    ResidualBlock(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision);
    Tensor forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

private:
    ChannelNorm norm1_, norm2_;
    CausalConv3d conv1_, conv2_;
    bool has_shortcut_ = false;
    Linear shortcut_;
};

/// Single-head attention over the pixels of each frame. Inner sites: "to_qkv", "product", "proj".
class FrameAttention {
public:
    FrameAttention(const WeightScope& scope, std::int64_t channels, const Precision& precision);
    Tensor forward(const Tensor& frames, const OpScope& scope) const;

private:
    ChannelNorm norm_;
    Linear to_qkv_, proj_;
};

/// The middle of encoder and decoder: residual block, attention, residual block. Each part is a separate op:
/// "resnets.0", "attentions.0", "resnets.1".
class MidBlock {
public:
    MidBlock(const WeightScope& scope, std::int64_t channels, const Precision& precision);
    Tensor forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const;

private:
    ResidualBlock resnet_0_;
    FrameAttention attention_;
    ResidualBlock resnet_1_;
};

/// Loads a 1x1 or 1x1x1 convolution as a matrix over the channels. `kernel_rank` is 2 or 3.
Linear pointwise_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, std::int64_t kernel_rank,
                      const Precision& precision);

/// Converts one number per latent channel to a tensor that broadcasts over [1, z, F, H, W].
Tensor per_channel(const std::vector<double>& values, const Device& device);

}  // namespace kinescope::wan
