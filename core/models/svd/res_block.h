#pragma once

#include <optional>
#include <string>

#include "core/models/svd/config.h"
#include "core/nn/causal_conv3d.h"
#include "core/nn/conv2d.h"
#include "core/nn/group_norm.h"
#include "core/nn/linear.h"
#include "core/numerics/probe.h"

namespace kinescope::svd {

struct ResBlockConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t time_embed_dim = 0;  ///< 0: the block is not told the time
    double eps = 1e-6;
    double temporal_eps = 1e-6;
    /// What sigmoid(mix_factor) weighs when space and time are blended.
    enum class Mix { spatial, temporal } mix = Mix::spatial;
};

/// A convolution over each place's neighbours in time, of kernel (3, 1, 1), with zeros before and after the video.
class TemporalConv {
public:
    TemporalConv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision);
    /// [T, H, W, in] -> [T, H, W, out], in the dtype that Linear returns.
    Tensor operator()(const Tensor& frames, const OpPrecision& op) const { return conv_.centred(frames, op); }

private:
    CausalConv3d conv_;
};

/// sigmoid(mix_factor), float32 of shape [1].
Tensor mix_weight(const WeightScope& scope, const Precision& precision);

/// diffusers' ResnetBlock2D: x + conv2(silu(norm2(conv1(silu(norm1(x))) + time))) in each frame by itself. The stream
/// is float32. Sites: "<name>.conv1", "<name>.conv2", "<name>.conv_shortcut".
class SpatialResBlock {
public:
    SpatialResBlock(const WeightScope& scope, std::string name, const ResBlockConfig& config,
                    const Precision& precision);
    /// `frames` [T, H, W, in]; `time` [1, time_embed_dim] after its activation, undefined without one.
    Tensor forward(const Tensor& frames, const Tensor& time, const ForwardContext& context) const;

private:
    /// conv1(silu(norm1(x))).
    Tensor first_half(const Tensor& frames, const OpScope& scope) const;

    std::string name_;
    Precision precision_;
    GroupNorm norm1_, norm2_;
    Conv2d conv1_, conv2_;
    std::optional<Linear> time_emb_proj_;
    std::optional<Conv2d> conv_shortcut_;
};

/// diffusers' TemporalResnetBlock: the same along time, with norms over the whole video. `in` and `out` are `out`.
class TemporalResBlock {
public:
    TemporalResBlock(const WeightScope& scope, std::string name, const ResBlockConfig& config,
                     const Precision& precision);
    Tensor forward(const Tensor& frames, const Tensor& time, const ForwardContext& context) const;

private:
    std::string name_;
    Precision precision_;
    GroupNorm norm1_, norm2_;
    TemporalConv conv1_, conv2_;
    std::optional<Linear> time_emb_proj_;
};

/// diffusers' SpatioTemporalResBlock: the one after the other, and a learned blend of before and after the second.
/// Sites: those of "<name>.spatial_res_block" and "<name>.temporal_res_block", and "<name>".
class SpatioTemporalResBlock {
public:
    SpatioTemporalResBlock(const WeightScope& scope, std::string name, const ResBlockConfig& config,
                           const Precision& precision);
    /// `frames` [T, H, W, in] float32, all frames that see each other -> [T, H, W, out] float32. Half-way they are no
    /// longer needed: a caller who hands them over lets them go then.
    Tensor forward(Tensor frames, const Tensor& time, const ForwardContext& context) const;

private:
    std::string name_;
    SpatialResBlock spatial_;
    TemporalResBlock temporal_;
    Tensor temporal_weight_;  ///< [1]
};

}  // namespace kinescope::svd
