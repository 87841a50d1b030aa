#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/video_vae.h"
#include "core/models/wan/config.h"
#include "core/models/wan/vae_resampling.h"

namespace kinescope::wan {

/// The decoder of AutoencoderKLWan, for Wan 2.1 (8x) and Wan 2.2 5B (16x, residual levels, patches). Each latent frame
/// is a chunk: the first decodes to one frame, each of the others to scale_factor_temporal frames. Sites in each chunk:
/// "decoder.conv_in", "decoder.mid_block", "decoder.up_blocks.N", "decoder.conv_out". Those of the last block and after
/// it occur once per frame. Values are [T, H, W, C]. The guard can raise the inner blocks:
/// "decoder.up_blocks.N.resnets.M", "decoder.up_blocks.N.upsamplers.0", "decoder.mid_block.attentions.0", ...
class Vae final : public VideoVae {
public:
    Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision);
    /// Returns the prefixes of the names of tensors in the file that this part of the VAE does not need.
    static std::vector<std::string> unneeded() { return {"encoder.", "quant_conv."}; }

    void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) override;
    int num_chunks(const Tensor& latents) const override { return static_cast<int>(latents.size(2)); }
    /// Decodes `latents` [1, z, F, H, W], not normalized, to frames [T, H, W, 3], clamped to [-1, 1].
    void decode_raw(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink);

private:
    struct UpBlock {
        std::vector<ResidualBlock> resnets;
        std::optional<Upsampler> upsampler;
        std::optional<ResamplerConfig> shortcut;  ///< residual VAE only

        Tensor forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const;
    };

    UpBlock up_block(const WeightScope& scope, const ResamplerConfig& config) const;
    void add_up_blocks(const WeightScope& scope);
    /// Decodes one latent frame. Runs the outermost level frame by frame, because its activations need the most memory.
    Tensor decode_chunk(const Tensor& latent_frame, ChunkState& state, const ForwardContext& context) const;
    Tensor run_up_block(std::size_t index, const Tensor& frames, ChunkState& state, const BlockSite& decoder) const;
    Tensor to_pixels(const Tensor& frames, ChunkState& state, const ForwardContext& context) const;

    VaeConfig config_;
    Precision precision_;
    Linear post_quant_conv_;
    CausalConv3d conv_in_;
    MidBlock mid_block_;
    std::vector<UpBlock> up_blocks_;
    ChannelNorm norm_out_;
    CausalConv3d conv_out_;
    Tensor latents_mean_;  ///< [1, z, 1, 1, 1]
    Tensor latents_inverse_std_;
};

}  // namespace kinescope::wan
