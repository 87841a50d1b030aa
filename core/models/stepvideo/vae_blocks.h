#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/models/stepvideo/config.h"
#include "core/nn/block_site.h"
#include "core/nn/causal_conv3d.h"
#include "core/nn/group_norm.h"

namespace kinescope::stepvideo {

/// The frames that the convolutions cache from earlier in the same chunk. Chunks are independent.
class ChunkState {
public:
    Tensor& history(const CausalConv3d& conv) { return histories_[&conv]; }

private:
    std::unordered_map<const CausalConv3d*, Tensor> histories_;
};

// Blocks of the VAE. Frames are [T, H, W, C]; streams are float32.

/// Loads a group norm, which normalizes each frame separately.
GroupNorm frame_norm(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision);

/// Computes x + conv2(silu(norm2(conv1(silu(norm1(x)))))), with a pointwise shortcut if the channels differ. Inner
/// sites: "conv1", "conv2", "nin_shortcut".
class ResidualBlock {
public:
    struct Channels {
        std::int64_t in, out, groups;
    };
    ResidualBlock(const WeightScope& scope, const Channels& channels, const Precision& precision);
    Tensor forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

private:
    GroupNorm norm1_, norm2_;
    CausalConv3d conv1_, conv2_;
    std::optional<Linear> shortcut_;
};

/// Single-head causal attention over all pixels of all frames of a chunk, in raster order. Inner sites: "q", "k", "v",
/// "product", "proj_out".
class ChunkAttention {
public:
    ChunkAttention(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision);
    Tensor forward(const Tensor& frames, const OpScope& scope) const;

private:
    GroupNorm norm_;
    Linear q_, k_, v_, proj_out_;
};

/// The middle of encoder and decoder: block, attention, block. Each part is a separate op: "block_1", "attn_1",
/// "block_2".
class MidBlock {
public:
    MidBlock(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision);
    Tensor forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const;

private:
    ResidualBlock block_1_;
    ChunkAttention attn_1_;
    ResidualBlock block_2_;
};

/// Doubles the number of frames, height and width to u, then returns silu(norm2(conv2(silu(norm1(conv1(u))))) + u) + u.
/// Inner sites: "conv1", "conv2".
class Upsampler3d {
public:
    Upsampler3d(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision);
    Tensor forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

private:
    CausalConv3d conv1_, conv2_;
    GroupNorm norm1_, norm2_;
};

/// Loads a video convolution, with kernel 3 in time and space, from "conv" in `scope`.
CausalConv3d video_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision);

/// Repeats each pixel `times` times in height and width.
Tensor enlarge(const Tensor& frames, std::int64_t times);

/// Adds a leading frame of zeros and folds 2x2x2 blocks of pixels into channels (channel, time, row, column), column
/// fastest: [T, H, W, C] with T odd -> [(T + 1) / 2, H / 2, W / 2, 8 C].
Tensor fold(const Tensor& frames);
/// Unfolds channels to pixels: the inverse of fold(). Drops the first frame: [T, H, W, 8 C] -> [2 T - 1, 2 H, 2 W, C].
Tensor unfold(const Tensor& frames);
/// Averages groups of adjacent channels, so that `channels` channels remain.
Tensor mean_channels(const Tensor& frames, std::int64_t channels);
/// Repeats each channel to get `channels` channels.
Tensor repeat_channels(const Tensor& frames, std::int64_t channels);

}  // namespace kinescope::stepvideo
