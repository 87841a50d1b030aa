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
    std::int64_t time_embed_dim = 0;  ///< 0: no time embedding
    double eps = 1e-6;
    double temporal_eps = 1e-6;
    /// The result, spatial or temporal, to which the blend gives the weight sigmoid(mix_factor).
    enum class Mix { spatial, temporal } mix = Mix::spatial;
};

/// A convolution over time with kernel (3, 1, 1) and zero padding.
class TemporalConv {
public:
    TemporalConv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision);
    /// Maps `frames` [T, H, W, in] -> [T, H, W, out], in the dtype that Linear returns.
    Tensor operator()(const Tensor& frames, const OpPrecision& op) const { return conv_.centered(frames, op); }

private:
    CausalConv3d conv_;
};

/// Returns sigmoid(mix_factor), float32 of shape [1].
Tensor mix_weight(const WeightScope& scope, const Precision& precision);

/// diffusers' ResnetBlock2D: x + conv2(silu(norm2(conv1(silu(norm1(x))) + time))) for each frame separately. The stream
/// is float32. Sites: "<name>.conv1", "<name>.conv2", "<name>.conv_shortcut".
class SpatialResBlock {
public:
    SpatialResBlock(const WeightScope& scope, std::string name, const ResBlockConfig& config,
                    const Precision& precision);
    /// Returns the frames after the block. `frames` is [T, H, W, in]. `time` is [1, time_embed_dim] after its
    /// activation, or undefined if the block uses no timestep.
    Tensor forward(const Tensor& frames, const Tensor& time, const ForwardContext& context) const;

private:
    /// Returns conv1(silu(norm1(x))).
    Tensor first_half(const Tensor& frames, const OpScope& scope) const;

    std::string name_;
    Precision precision_;
    GroupNorm norm1_, norm2_;
    Conv2d conv1_, conv2_;
    std::optional<Linear> time_emb_proj_;
    std::optional<Conv2d> conv_shortcut_;
};

/// diffusers' TemporalResnetBlock: like SpatialResBlock, but along time, with norms over the whole video and the same
/// number of channels throughout.
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

/// diffusers' SpatioTemporalResBlock: a spatial block, a temporal block, and a learned blend of their results.
/// Sites: those of "<name>.spatial_res_block" and "<name>.temporal_res_block", and "<name>".
class SpatioTemporalResBlock {
public:
    SpatioTemporalResBlock(const WeightScope& scope, std::string name, const ResBlockConfig& config,
                           const Precision& precision);
    /// Maps one video, `frames` float32 [T, H, W, in] -> float32 [T, H, W, out]. Move `frames` in, so that they are
    /// freed as soon as they are no longer needed.
    Tensor forward(Tensor frames, const Tensor& time, const ForwardContext& context) const;

private:
    std::string name_;
    SpatialResBlock spatial_;
    TemporalResBlock temporal_;
    Tensor temporal_weight_;  ///< [1]
};

}  // namespace kinescope::svd
