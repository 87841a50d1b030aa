#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/nn/causal_conv3d.h"
#include "core/numerics/probe.h"

namespace kinescope::cogvideox {

/// The frames that the convolutions cache from earlier chunks of one video or tile.
class ConvHistory {
public:
    Tensor& of(const CausalConv3d& conv) { return histories_[&conv]; }

private:
    std::unordered_map<const CausalConv3d*, Tensor> histories_;
};

/// The inputs of a module in addition to the frames of the chunk.
struct ChunkInput {
    const Tensor& latents;  ///< [t, h, w, z] of the chunk, float32; undefined in the encoder
    ConvHistory& history;
    const ForwardContext& context;
};

struct ChunkNormConfig {
    std::int64_t channels = 0;
    std::int64_t groups = 32;
    double eps = 1e-6;
    std::int64_t latent_channels = 0;  ///< 0: plain group norm
};

/// Group norm over all pixels and frames of a chunk, then silu. In the decoder, 1x1x1 convolutions of the latents give
/// a scale and a shift, which are applied before silu (Zheng et al. 2022, arXiv:2209.09002).
class ChunkNorm {
public:
    ChunkNorm() = default;
    ChunkNorm(const WeightScope& scope, const ChunkNormConfig& config, const Precision& precision);

    /// Normalizes [T, H, W, C] of any dtype and applies silu. Returns a float32 tensor. For `latents`, see ChunkInput.
    Tensor silu(Tensor frames, const Tensor& latents, const OpPrecision& op) const;

private:
    Tensor normalize(const Tensor& frames) const;

    ChunkNormConfig config_;
    Tensor weight_;
    Tensor bias_;
    CausalConv3d conv_y_;  ///< pointwise: caches no frames
    CausalConv3d conv_b_;
};

struct ResnetConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    ChunkNormConfig norm = {};  ///< channels are set from in and out
};

/// Computes x + conv2(silu(norm2(conv1(silu(norm1(x)))))), with a pointwise shortcut if the channels differ. Frames are
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

/// Doubles the size by repetition and convolves each frame. Optionally doubles the number of frames, except for the
/// first frame of an odd number. Site: "<name>".
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

/// Halves the size with a convolution of stride 2. Optionally halves the number of frames before by averaging pairs,
/// except for the first frame of an odd number. Site: "<name>".
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

/// The first frame and the length of each chunk: `batch` frames each, and the first chunk in addition the remainder.
struct FrameRange {
    std::int64_t begin = 0;
    std::int64_t count = 0;
};
std::vector<FrameRange> frame_batches(std::int64_t num_frames, std::int64_t batch);

/// Returns a 3x3x3 convolution, which pads with copies of the first frame as this VAE does.
CausalConv3d causal_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision);

}  // namespace kinescope::cogvideox
