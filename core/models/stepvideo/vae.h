#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/stepvideo/vae_blocks.h"
#include "core/models/video_vae.h"

namespace kinescope::stepvideo {

/// The decoder of Step-Video's VAE, version 2: 16 times the size; 3 latent frames become 17 frames (a single image: 1
/// to 1). Chunks are independent. Where two meet, the last frame of the first and the first frame of the second are
/// blended as in the reference: next = 0.6 next + 0.4 last, then last = 0.6 last + 0.4 next with the new next. After
/// the middle block, a chunk is decoded latent frame by latent frame with cached frames, which computes the same values
/// in a fifth of the memory. Sites in each chunk: "decoder.conv_in", "decoder.conv_unpatchify", those of the middle's
/// blocks, "decoder.mid_block"; for each of its latent frames: those of the blocks' layers
/// ("decoder.up_blocks.N.block.I", "decoder.up_blocks.N.upsample"), "decoder.up_blocks.N", "decoder.conv_out". Values:
/// [T, H, W, C].
class Vae final : public VideoVae {
public:
    Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision);
    /// Returns the prefixes of the names of tensors in the file that this part of the VAE does not need.
    static std::vector<std::string> unneeded() { return {"encoder."}; }

    void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) override;
    int num_chunks(const Tensor& latents) const override;
    /// Decodes one chunk: latents [T, h, w, z], T = 3 or 1, to frames [17 or 1, H, W, 3] around -1..1, not clamped.
    Tensor decode_chunk(const Tensor& latents, const ForwardContext& context) const;

private:
    struct UpBlock {
        std::vector<ResidualBlock> blocks;
        std::optional<Upsampler3d> upsampler_3d;  ///< in the two widest blocks
        std::optional<Conv2d> upsampler_2d;       ///< in the next block
    };

    UpBlock up_block(const WeightScope& scope, std::size_t level) const;
    Tensor to_middle(const Tensor& latents, ChunkState& state, const ForwardContext& context) const;
    Tensor upsample(Tensor frames, const UpBlock& block, ChunkState& state, const BlockSite& at) const;
    Tensor to_pixels(Tensor frames, ChunkState& state, const ForwardContext& context) const;

    VaeConfig config_;
    Precision precision_;
    CausalConv3d conv_in_;
    CausalConv3d conv_unpatchify_;
    MidBlock mid_;
    std::vector<UpBlock> up_blocks_;  ///< in order of execution: the file's up.3 first
    GroupNorm norm_out_;
    CausalConv3d conv_out_;
};

}  // namespace kinescope::stepvideo
