#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/svd/unet_blocks.h"
#include "core/models/svd/vae_blocks.h"

namespace kinescope::svd {

/// The encoder of AutoencoderKLTemporalDecoder, equal to that of Stable Diffusion. The sites have diffusers' module
/// names: "encoder.conv_in", those of "encoder.down_blocks.N" and "encoder.mid_block", these blocks themselves,
/// "encoder.conv_out", "quant_conv".
class VaeEncoder {
public:
    VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision);
    /// Returns the prefixes of the names of tensors in the file that this part of the VAE does not need.
    static std::vector<std::string> unneeded() { return {"decoder."}; }

    /// Returns mean and logarithm of the variance: `pixels` float32 [1, 3, H, W] in [-1, 1] -> float32 [1, 2
    /// latent_channels, h, w].
    Tensor moments(const Tensor& pixels, const ForwardContext& context) const;
    /// Returns the unscaled mean, [1, latent_channels, h, w].
    Tensor mode(const Tensor& pixels, const ForwardContext& context) const;

private:
    struct DownBlock {
        std::vector<SpatialResBlock> resnets;
        std::optional<ObservedConv> downsampler;
    };

    void add_down_blocks(const WeightScope& scope, const VaeConfig& config, const Precision& precision);

    Precision precision_;
    ObservedConv conv_in_;
    std::vector<DownBlock> down_blocks_;
    std::vector<SpatialResBlock> mid_resnets_;
    FrameAttention mid_attention_;
    GroupNorm conv_norm_out_;
    ObservedConv conv_out_, quant_conv_;
};

}  // namespace kinescope::svd
