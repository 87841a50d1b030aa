#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/chunk_loop.h"
#include "core/models/cogvideox/config.h"
#include "core/models/cogvideox/vae_blocks.h"
#include "core/models/video_vae.h"

namespace kinescope::cogvideox {

/// The decoder of AutoencoderKLCogVideoX. A chunk has two latent frames; if their number is odd, the first chunk has
/// three. Norms cover a chunk, so the chunk size affects the result. Each latent frame decodes to 4 frames, except the
/// first of an odd number, which decodes to one. Sites in each chunk: "decoder.conv_in", those of the blocks' layers,
/// "decoder.mid_block", "decoder.up_blocks.N", "decoder.conv_out"; values [T, H, W, C].
class Vae final : public VideoVae {
public:
    Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision);
    /// Returns the prefixes of the names of tensors in the file that this part of the VAE does not need.
    static std::vector<std::string> unneeded() { return {"encoder."}; }

    /// Decodes frames that are larger than a tile in overlapping tiles. Only one tile's activations are in memory at a
    /// time, and norms cover a tile.
    void enable_tiling() { tiling_ = true; }

    void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) override;
    int num_chunks(const Tensor& latents) const override;
    /// Decodes `latents` [1, z, F, H, W], unscaled, to frames [T, H, W, 3] around -1..1, not clamped.
    void decode_raw(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink);

private:
    struct UpBlock {
        std::vector<Resnet> resnets;
        std::optional<Upsampler> upsampler;
    };

    void add_up_blocks(const WeightScope& scope);
    ResnetConfig resnet(std::int64_t in, std::int64_t out) const;
    using Chunks = ChunkLoop<ConvHistory>;
    /// Returns the chunks of `latents` [F, H, W, z], of a video or a tile.
    Chunks chunks_of(const Tensor& latents, const ForwardContext& context) const;
    /// Decodes chunk by chunk. Each tile has its own cached frames.
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
