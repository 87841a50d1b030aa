#pragma once

#include <optional>
#include <vector>

#include "core/models/video_vae.h"
#include "core/models/wan/config.h"
#include "core/models/wan/vae_resampling.h"

namespace kinescope::wan {

/// The decoder of AutoencoderKLWan, of Wan 2.1 (8 x) and of Wan 2.2 5B (16 x, residual levels, patches). One latent
/// frame is one chunk: the first gives one frame, each further one scale_factor_temporal frames. Sites, for each chunk:
/// "decoder.conv_in", "decoder.mid_block", "decoder.up_blocks.N", "decoder.conv_out", those of the last block and after
/// it for each frame; values there lie [T, H, W, C].
/// The ops that can be raised are the blocks inside: "decoder.up_blocks.N.resnets.M",
/// "decoder.up_blocks.N.upsamplers.0", "decoder.mid_block.attentions.0" ...
class Vae final : public VideoVae {
public:
    Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision);

    void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) override;
    int num_chunks(const Tensor& latents) const override { return static_cast<int>(latents.size(2)); }
    /// `latents` [1, z, F, H, W] as the encoder leaves them; frames [T, H, W, 3] in -1..1 after clamping.
    void decode_raw(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink);

private:
    struct UpBlock {
        std::vector<ResidualBlock> resnets;
        std::optional<Upsampler> upsampler;
        std::optional<ResamplerConfig> shortcut;  ///< of a residual VAE

        Tensor forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const;
    };

    UpBlock up_block(const WeightScope& scope, const ResamplerConfig& config) const;
    void add_up_blocks(const WeightScope& scope);
    /// The outermost level runs frame by frame: its values are most of the memory.
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
