#pragma once

#include <optional>
#include <vector>

#include "core/models/chunk_loop.h"
#include "core/models/cogvideox/config.h"
#include "core/models/cogvideox/vae_blocks.h"
#include "core/models/video_vae.h"

namespace kinescope::cogvideox {

/// The decoder of AutoencoderKLCogVideoX. A chunk is two latent frames, and one more in the first chunk of an odd
/// number; norms run over the chunk, so other chunks would be another result. Each latent frame gives 4 frames, but the
/// first of an odd number one. Sites, for each chunk: "decoder.conv_in", those of the blocks' layers,
/// "decoder.mid_block", "decoder.up_blocks.N", "decoder.conv_out"; values there lie [T, H, W, C].
class Vae final : public VideoVae {
public:
    Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision);

    /// Larger pictures are decoded by overlapping tiles: memory is that of a tile, and the norms see a tile only.
    void enable_tiling() { tiling_ = true; }

    void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) override;
    int num_chunks(const Tensor& latents) const override;
    /// `latents` [1, z, F, H, W] as the encoder leaves them; frames [T, H, W, 3] around -1..1, not clamped.
    void decode_raw(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink);

private:
    struct UpBlock {
        std::vector<Resnet> resnets;
        std::optional<Upsampler> upsampler;
    };

    void add_up_blocks(const WeightScope& scope);
    ResnetConfig resnet(std::int64_t in, std::int64_t out) const;
    using Chunks = ChunkLoop<ConvHistory>;
    /// `latents` [F, H, W, z] of a video, or of a tile of it.
    Chunks chunks_of(const Tensor& latents, const ForwardContext& context) const;
    /// Chunk by chunk; the tiles have histories of their own.
    void decode_tiles(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) const;
    Tensor run_decoder(const Tensor& latents, ConvHistory& history, const ForwardContext& context) const;

    VaeConfig config_;
    Precision precision_;
    CausalConv3d conv_in_;
    std::vector<Resnet> mid_resnets_;
    std::vector<UpBlock> up_blocks_;
    ChunkNorm norm_out_;
    CausalConv3d conv_out_;
    bool tiling_ = false;
};

}  // namespace kinescope::cogvideox
