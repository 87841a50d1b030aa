#pragma once

#include <optional>
#include <vector>

#include "core/models/stepvideo/vae_blocks.h"
#include "core/numerics/probe.h"

namespace kinescope::stepvideo {

/// The encoder of Step-Video's VAE, version 2. Text to video does not need it; it exists for comparison with the
/// reference and for image-to-video models. Sites: "encoder.conv_in", "encoder.down_blocks.N" and those of its layers,
/// "encoder.mid_block" and those of its blocks, "encoder.conv_patchify", "encoder.conv_out".
class VaeEncoder {
public:
    VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision);

    /// Encodes one chunk: pixels [17 or 1, H, W, 3] in [-1, 1] to moments [3 or 1, H / 16, W / 16, 2 z], the mean
    /// before the logarithm of the variance.
    Tensor encode_chunk(const Tensor& pixels, const ForwardContext& context) const;

private:
    struct DownBlock {
        std::vector<ResidualBlock> blocks;
        std::optional<Conv2d> downsampler_2d;        ///< in the first block
        std::optional<CausalConv3d> downsampler_3d;  ///< in the two middle blocks
    };

    DownBlock down_block(const WeightScope& scope, std::size_t level) const;
    Tensor downsample(Tensor frames, const DownBlock& block, ChunkState& state, const BlockSite& at) const;
    Tensor to_moments(const Tensor& frames, ChunkState& state, const ForwardContext& context) const;

    VaeConfig config_;
    Precision precision_;
    CausalConv3d conv_in_;
    std::vector<DownBlock> down_blocks_;
    MidBlock mid_;
    GroupNorm norm_out_;
    CausalConv3d conv_patchify_, conv_out_;
};

}  // namespace kinescope::stepvideo
