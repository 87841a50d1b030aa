#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/svd/unet_blocks.h"
#include "core/models/svd/vae_blocks.h"
#include "core/models/video_vae.h"

namespace kinescope::svd {

/// The decoder of AutoencoderKLTemporalDecoder. Frames of a chunk influence each other, so the chunk size affects the
/// result. Each chunk is a transaction. The sites have diffusers' module names: "decoder.conv_in", those of
/// "decoder.mid_block" and "decoder.up_blocks.N", these blocks themselves, "decoder.conv_out", "decoder.time_conv_out".
class Vae final : public VideoVae {
public:
    /// `chunk_size` is the number of frames that are decoded together, at least 1.
    Vae(const WeightScope& scope, const VaeConfig& config, std::int64_t chunk_size, const Precision& precision);
    /// Returns the prefixes of the names of tensors in the file that this part of the VAE does not need.
    static std::vector<std::string> unneeded() { return {"encoder.", "quant_conv."}; }

    void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) override;
    int num_chunks(const Tensor& latents) const override;
    /// Decodes one chunk: unscaled latents [F, h, w, latent_channels] -> float32 [F, H, W, 3], not clamped.
    Tensor decode_chunk(const Tensor& latents, const ForwardContext& context) const;

private:
    struct UpBlock {
        std::vector<SpatioTemporalResBlock> resnets;
        std::optional<ObservedConv> upsampler;
    };

    void add_up_blocks(const WeightScope& scope);
    Tensor run_mid_block(const Tensor& frames, const ForwardContext& context) const;
    Tensor run_up_block(std::size_t index, Tensor frames, const ForwardContext& context) const;
    Tensor head(const Tensor& frames, const ForwardContext& context) const;

    VaeConfig config_;
    std::int64_t chunk_size_;
    Precision precision_;
    ObservedConv conv_in_;
    std::vector<SpatioTemporalResBlock> mid_resnets_;
    FrameAttention mid_attention_;
    std::vector<UpBlock> up_blocks_;
    GroupNorm conv_norm_out_;
    ObservedConv conv_out_;
    TemporalConv time_conv_out_;
};

}  // namespace kinescope::svd
