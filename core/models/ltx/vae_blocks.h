#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/models/ltx/config.h"
#include "core/nn/conv2d.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/nn/timestep_embedding.h"
#include "core/numerics/probe.h"

namespace kinescope::ltx {

/// The frames with which a convolution pads the video in time: copies of the first frame before it (encoder), or a copy
/// of the first frame before it and of the last frame after it (decoder).
enum class TimePadding { causal, centered };

/// A 3 x 3 x 3 convolution of frames [T, H, W, C], with zero padding around each image. Computed as one 2-D convolution
/// whose channels are those of three neighboring frames. Site: "<name>".
class VideoConv {
public:
    VideoConv() = default;
    /// `name` is the site. The weights are directly in `scope`.
    VideoConv(const WeightScope& scope, std::string name, const LinearConfig& channels, TimePadding padding,
              const Precision& precision);
    /// Returns float32 frames.
    Tensor forward(const Tensor& frames, const ForwardContext& context) const;

private:
    std::vector<Tensor> padded(const Tensor& frames) const;
    Tensor convolve(const Tensor& frames, const OpPrecision& op) const;
    Tensor input_of_first_middle(const Tensor& frames) const;

    std::string name_;
    Precision precision_;
    TimePadding padding_ = TimePadding::causal;
    Conv2d conv_;
};

/// Returns standard normal noise [rows, columns], float32 on the CPU.
using PlaneNoise = std::function<Tensor(std::int64_t rows, std::int64_t columns)>;

/// The inputs of the decoder's blocks in addition to the frames. The encoder's blocks use only the context.
struct BlockRun {
    const ForwardContext& context;
    double timestep = 0;      ///< 0..1000, for a decoder with timestep
    const PlaneNoise& noise;  ///< drawn in the order of the layers that inject it
};

/// Returns silu(x / sqrt(mean(x^2) + 1e-8) * (1 + scale) + shift), with the mean over the channels. `scale` and `shift`
/// [C] may be undefined. Move `frames` in, so that they are freed as soon as they are no longer needed.
Tensor pixel_norm_silu(Tensor frames, const Tensor& scale, const Tensor& shift);

enum class TimestepUse { none, present };

struct ResnetConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    double shortcut_eps = 1e-6;
    TimePadding padding = TimePadding::causal;
    NoiseInjection noise = NoiseInjection::none;
    TimestepUse timestep = TimestepUse::none;
};

/// Computes x + conv2(silu(norm2(conv1(silu(norm1(x)))))), with a normalized pointwise shortcut if the channels differ.
/// Sites: "<name>.conv1", "<name>.conv2", "<name>.conv_shortcut".
class Resnet {
public:
    Resnet(const WeightScope& scope, const ResnetConfig& config, const Precision& precision);
    /// Returns the frames after the block. `time` is [4, C] float32, or undefined without a timestep.
    Tensor forward(const Tensor& frames, const Tensor& time, const BlockRun& run) const;

private:
    void inject(Tensor& frames, const Tensor& scale, const BlockRun& run) const;
    Tensor shortcut(const Tensor& frames, const ForwardContext& context) const;

    std::string name_;
    Precision precision_;
    VideoConv conv1_, conv2_;
    Tensor noise_scale_1_, noise_scale_2_;  ///< [C]; undefined: none
    Tensor scale_shift_table_;              ///< [4, C]: shift, scale of both norms
    LayerNorm norm3_;
    std::optional<Linear> conv_shortcut_;
};

/// Residual blocks of one width that share a timestep embedding.
class ResnetStack {
public:
    ResnetStack(const WeightScope& scope, const ResnetConfig& config, std::int64_t num_layers,
                const Precision& precision);
    Tensor forward(Tensor frames, const BlockRun& run) const;

private:
    std::vector<Resnet> resnets_;
    std::optional<TimestepEmbedding> time_embedder_;  ///< [1, 4 C]
};

/// Doubles the size along every axis by moving channels into pixels, then drops the first frame.
class Upsampler {
public:
    Upsampler(const WeightScope& scope, std::int64_t channels, const Upsampling& config, const Precision& precision);
    Tensor forward(const Tensor& frames, const ForwardContext& context) const;

private:
    Upsampling config_;
    VideoConv conv_;
};

/// Shrinks frames with a convolution of stride 2, or by moving pixels into channels.
class Downsampler {
public:
    Downsampler(const WeightScope& scope, const EncoderLevel& level, const Precision& precision);
    Tensor forward(const Tensor& frames, const ForwardContext& context) const;

private:
    EncoderLevel level_;
    VideoConv conv_;
};

/// Convert images [T, H, W, 3] to patches [T, H / p, W / p, 3 p p], and back. The columns of a patch are the slower
/// axis.
Tensor to_patches(const Tensor& pictures, std::int64_t patch_size);
Tensor from_patches(const Tensor& patches, std::int64_t patch_size);

}  // namespace kinescope::ltx
