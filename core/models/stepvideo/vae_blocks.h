#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/models/stepvideo/config.h"
#include "core/nn/block_site.h"
#include "core/nn/causal_conv3d.h"
#include "core/nn/group_norm.h"

namespace kinescope::stepvideo {

/// What the convolutions remember of the frames of this chunk that went before. Chunks know nothing of each other.
class ChunkState {
public:
    Tensor& history(const CausalConv3d& conv) { return histories_[&conv]; }

private:
    std::unordered_map<const CausalConv3d*, Tensor> histories_;
};

// Frames lie [T, H, W, C]; streams are float32.

/// Of each frame by itself.
GroupNorm frame_norm(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision);

/// x + conv2(silu(norm2(conv1(silu(norm1(x)))))), with a pointwise shortcut where the channels differ. Inner
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

/// Attention of one head among all places of all frames of a chunk, in raster order, each seeing itself and what lies
/// before it. Inner sites: "q", "k", "v", "product", "proj_out".
class ChunkAttention {
public:
    ChunkAttention(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision);
    Tensor forward(const Tensor& frames, const OpScope& scope) const;

private:
    GroupNorm norm_;
    Linear q_, k_, v_, proj_out_;
};

/// Block, attention, block: the middle of encoder and decoder, each an op of its own: "block_1", "attn_1", "block_2".
class MidBlock {
public:
    MidBlock(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision);
    Tensor forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const;

private:
    ResidualBlock block_1_;
    ChunkAttention attn_1_;
    ResidualBlock block_2_;
};

/// Twice the size in time, height and width: u = frames doubled, silu(norm2(conv2(silu(norm1(conv1(u))))) + u) + u.
/// Inner sites: "conv1", "conv2".
class Upsampler3d {
public:
    Upsampler3d(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision);
    Tensor forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

private:
    CausalConv3d conv1_, conv2_;
    GroupNorm norm1_, norm2_;
};

/// `conv` holds the convolution of a video under "conv": kernel 3 in time and space.
CausalConv3d video_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision);

/// Each pixel `times` times in height and width.
Tensor enlarge(const Tensor& frames, std::int64_t times);

/// Folds 2x2x2 blocks of pixels into channels ((channel, time, row, column), the column fastest), after one frame of
/// zeros in front: [T, H, W, C] with T odd -> [(T + 1) / 2, H / 2, W / 2, 8 C].
Tensor fold(const Tensor& frames);
/// The inverse; the first frame is dropped. [T, H, W, 8 C] -> [2 T - 1, 2 H, 2 W, C].
Tensor unfold(const Tensor& frames);
/// Channels in groups of neighbours, each replaced by its mean.
Tensor mean_channels(const Tensor& frames, std::int64_t channels);
/// Each channel as often as makes `channels` of them.
Tensor repeat_channels(const Tensor& frames, std::int64_t channels);

}  // namespace kinescope::stepvideo
