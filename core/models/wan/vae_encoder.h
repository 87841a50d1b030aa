#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/models/wan/config.h"
#include "core/models/wan/vae_resampling.h"
#include "core/numerics/probe.h"

namespace kinescope::wan {

/// The encoder of AutoencoderKLWan. The first frame is a chunk, and then every scale_factor_temporal frames. Each chunk
/// is a transaction. Sites in each chunk: "encoder.conv_in", "encoder.down_blocks.N", "encoder.mid_block",
/// "encoder.conv_out"; values [T, H, W, C].
class VaeEncoder {
public:
    VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision);
    /// Returns the prefixes of the names of tensors in the file that this part of the VAE does not need.
    static std::vector<std::string> unneeded() { return {"decoder.", "post_quant_conv."}; }

    /// Returns frames `first` to `first` + `count` - 1: float32 [count, H, W, 3] in [-1, 1]. Called once per chunk.
    using FrameSource = std::function<Tensor(std::int64_t first, std::int64_t count)>;

    /// Returns mean and logarithm of the variance, float32 [1, 2 z, f, h, w] with f = (num_frames - 1) /
    /// scale_factor_temporal + 1. Ignores trailing frames that do not fill a chunk.
    Tensor moments(std::int64_t num_frames, const FrameSource& frames, const ForwardContext& context) const;
    /// Returns the mean, normalized for the denoiser: float32 [1, z, f, h, w].
    Tensor encode(std::int64_t num_frames, const FrameSource& frames, const ForwardContext& context) const;

private:
    struct DownBlock {
        std::vector<ResidualBlock> resnets;
        std::optional<Downsampler> downsampler;
        std::optional<ResamplerConfig> shortcut;  ///< residual VAE only

        Tensor forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const;
    };

    void add_levels(const WeightScope& scope);
    DownBlock residual_level(const WeightScope& scope, const ResamplerConfig& config) const;
    void add_flat_level(const WeightScope& scope, const ResamplerConfig& config);
    Tensor encode_chunk(const Tensor& frames, ChunkState& state, const ForwardContext& context) const;

    VaeConfig config_;
    Precision precision_;
    CausalConv3d conv_in_;
    std::vector<DownBlock> down_blocks_;  ///< in the checkpoint's order
    MidBlock mid_block_;
    ChannelNorm norm_out_;
    CausalConv3d conv_out_;
    Linear quant_conv_;
    Tensor latents_mean_;  ///< [1, z, 1, 1, 1]
    Tensor latents_inverse_std_;
};

}  // namespace kinescope::wan
