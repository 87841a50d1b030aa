#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/nn/causal_conv3d.h"
#include "core/numerics/probe.h"

namespace kinescope::cogvideox {

/// What the convolutions remember of the chunks before, for one video or one tile of it.
class ConvHistory {
public:
    Tensor& of(const CausalConv3d& conv) { return histories_[&conv]; }

private:
    std::unordered_map<const CausalConv3d*, Tensor> histories_;
};

/// What a module is given besides the frames of the chunk.
struct ChunkInput {
    const Tensor& latents;  ///< [t, h, w, z] of the chunk, float32; undefined in the encoder
    ConvHistory& history;
    const ForwardContext& context;
};

struct ChunkNormConfig {
    std::int64_t channels = 0;
    std::int64_t groups = 32;
    double eps = 1e-6;
    std::int64_t latent_channels = 0;  ///< 0: a plain group norm
};

/// Group norm over all places and frames of a chunk, through silu. In the decoder it is first multiplied with, and
/// added to, what 1x1x1 convolutions make of the latents at each place (Zheng et al. 2022, arXiv:2209.09002).
class ChunkNorm {
public:
    ChunkNorm() = default;
    ChunkNorm(const WeightScope& scope, const ChunkNormConfig& config, const Precision& precision);

    /// [T, H, W, C] of any dtype -> float32, a tensor of its own. `latents` as in ChunkInput.
    Tensor silu(Tensor frames, const Tensor& latents, const OpPrecision& op) const;

private:
    Tensor normalise(const Tensor& frames) const;

    ChunkNormConfig config_;
    Tensor weight_;
    Tensor bias_;
    CausalConv3d conv_y_;  ///< of one place: has no history
    CausalConv3d conv_b_;
};

struct ResnetConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    ChunkNormConfig norm = {};  ///< its channels are set by in and out
};

/// x + conv2(silu(norm2(conv1(silu(norm1(x)))))), with a pointwise shortcut where the channels differ. Frames are
/// [T, H, W, C]; the stream is float32. Sites: "<name>.conv1", "<name>.conv2", "<name>.conv_shortcut".
class Resnet {
public:
    Resnet(const WeightScope& scope, const ResnetConfig& config, const Precision& precision);
    Tensor forward(const Tensor& frames, const ChunkInput& input) const;

private:
    Tensor shortcut(const Tensor& frames, const ForwardContext& context) const;

    std::string name_;
    Precision precision_;
    ChunkNorm norm1_, norm2_;
    CausalConv3d conv1_, conv2_;
    std::optional<CausalConv3d> conv_shortcut_;
};

enum class Resampling { space, space_and_time };

struct ResamplerConfig {
    std::int64_t channels = 0;
    Resampling mode = Resampling::space;
};

/// Twice the size by repetition, then a convolution of each picture. In time too, except for the first frame of an odd
/// number of frames. Site: "<name>".
class Upsampler {
public:
    Upsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision);
    Tensor forward(const Tensor& frames, const ForwardContext& context) const;

private:
    Tensor repeated(const Tensor& frames) const;

    std::string name_;
    Precision precision_;
    Resampling mode_;
    Conv2d conv_;
};

/// Half the size by a convolution of stride 2; before it, in time by the mean of pairs, except for the first frame of
/// an odd number of frames. Site: "<name>".
class Downsampler {
public:
    Downsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision);
    Tensor forward(const Tensor& frames, const ForwardContext& context) const;

private:
    std::string name_;
    Precision precision_;
    Resampling mode_;
    Conv2d conv_;
};

/// Where the chunks of a video begin and how long they are: `batch` frames each, the remainder in the first one.
struct FrameRange {
    std::int64_t begin = 0;
    std::int64_t count = 0;
};
std::vector<FrameRange> frame_batches(std::int64_t num_frames, std::int64_t batch);

/// The 3x3x3 convolution of this VAE: before the first frame stands the first frame.
CausalConv3d causal_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision);

}  // namespace kinescope::cogvideox
