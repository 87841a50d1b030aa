#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/svd/config.h"
#include "core/models/svd/res_block.h"
#include "core/models/svd/spatio_temporal_transformer.h"

namespace kinescope::svd {

/// The inputs of a UNet block in addition to the frames.
struct UNetBlockInput {
    const Tensor& time;           ///< [1, time_embed_dim] after its activation
    const Tensor& context_token;  ///< [1, 1, cross_attention_dim]
};

/// A 3x3 convolution whose result is observed at a separate site.
class ObservedConv {
public:
    /// `name` is the site. The tensors are directly in `scope`.
    ObservedConv(const WeightScope& scope, std::string name, const Conv2dConfig& config, const Precision& precision);
    /// Maps [F, H, W, in] -> [F, H / stride, W / stride, out] float32.
    Tensor forward(const Tensor& frames, const ForwardContext& context) const;
    /// Maps silu(norm(frames)).
    Tensor after_norm(const GroupNorm& norm, const Tensor& frames, const ForwardContext& context) const;
    /// Resizes the frames by nearest neighbor, then convolves them. Only for stride 1.
    Tensor resize(const Tensor& frames, std::int64_t height, std::int64_t width, const ForwardContext& context) const;

private:
    std::string name_;
    Precision precision_;
    Conv2d conv_;
};

/// Residual blocks, each optionally followed by attention, then an optional resampler. Frames are [F, H, W, C].
class UNetBlock {
public:
    struct Config {
        std::vector<ResBlockConfig> resnets = {};
        std::optional<SpatioTemporalTransformerConfig> attention = std::nullopt;
        enum class Sampler { none, down, up } sampler = Sampler::none;
    };
    UNetBlock(const WeightScope& scope, const std::string& name, const Config& config, const Precision& precision);

    /// Runs the block, with downsampling if configured. Appends the state after each layer to `skips`.
    Tensor forward_down(Tensor frames, std::vector<Tensor>& skips, const UNetBlockInput& input,
                        const ForwardContext& context) const;
    /// Runs the block and upsamples to the size of the next skip. Removes the last of `skips` for each residual block.
    Tensor forward_up(Tensor frames, std::vector<Tensor>& skips, const UNetBlockInput& input,
                      const ForwardContext& context) const;

private:
    Tensor run_layer(std::size_t layer, Tensor frames, const UNetBlockInput& input,
                     const ForwardContext& context) const;

    std::vector<SpatioTemporalResBlock> resnets_;
    std::vector<SpatioTemporalTransformer> attentions_;
    std::optional<ObservedConv> sampler_;
};

/// The block between the down path and the up path.
class UNetMidBlock {
public:
    UNetMidBlock(const WeightScope& scope, const UNetConfig& config, const Precision& precision);
    Tensor forward(const Tensor& frames, const UNetBlockInput& input, const ForwardContext& context) const;

private:
    SpatioTemporalResBlock first_;
    SpatioTemporalTransformer attention_;
    SpatioTemporalResBlock second_;
};

/// Returns the attention config of a level.
SpatioTemporalTransformerConfig attention_config(const UNetConfig& config, const UNetLevel& level);
}  // namespace kinescope::svd
