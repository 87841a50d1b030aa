#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/ltx/vae_blocks.h"
#include "core/models/video_vae.h"

namespace kinescope::ltx {

/// The timestep and the noise of a decoder with timestep conditioning.
struct DecodeNoise {
    double timestep = 0;     ///< 0..1
    double noise_scale = 0;  ///< 0..1: share of noise that is mixed into the latents before
    Tensor latents_noise;    ///< of the latents' shape; undefined: none is mixed in
    std::uint64_t seed = 0;  ///< of the stream that the decoder's layers draw from
};

/// The decoder of AutoencoderKLLTXVideo. Every latent frame depends on its neighbors, so the video is decoded in one
/// pass; the sink then receives the frames of one latent frame at a time: one frame, then 8 for each. Sites:
/// "decoder.conv_in", those of the blocks' layers, "decoder.mid_block", "decoder.up_blocks.N", "decoder.conv_out";
/// values [T, H, W, C].
class Vae final : public VideoVae {
public:
    Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision);
    /// Returns the prefixes of the names of tensors in the file that this part of the VAE does not need.
    static std::vector<std::string> unneeded() { return {"encoder."}; }

    /// Decodes images that are larger than 512 px in overlapping tiles. Needs memory for one tile and for all frames.
    void enable_tiling() { tiling_ = true; }
    /// Sets timestep and noise. Without this call, a decoder with timestep conditioning uses timestep 0.
    void set_noise(DecodeNoise noise) { noise_ = std::move(noise); }

    void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) override;
    int num_chunks(const Tensor& latents) const override { return static_cast<int>(latents.size(2)); }
    /// Returns "latents_decode", "decode_noise" and "decoder_noise_NNN".
    std::map<std::string, Tensor> record() const override { return record_; }
    /// Decodes `latents` [1, z, F, H, W] as the encoder returns them, with `timestep` in [0, 1], to frames [T, H, W, 3]
    /// around -1..1, not clamped. This is one transaction; each attempt starts the noise from the beginning.
    Tensor decode_raw(const Tensor& latents, double timestep, const std::function<PlaneNoise()>& noise,
                      const ForwardContext& context) const;

private:
    struct UpBlock {
        std::optional<Resnet> conv_in;  ///< to another width
        std::optional<Upsampler> upsampler;
        ResnetStack resnets;
    };

    UpBlock up_block(const WeightScope& scope, const DecoderLevel& level) const;
    ResnetConfig resnet(std::int64_t in, std::int64_t out, NoiseInjection noise) const;
    Tensor run_decoder(const Tensor& latents, const BlockRun& run) const;
    Tensor head(const Tensor& frames, const BlockRun& run) const;
    Tensor with_noise(const Tensor& latents) const;
    /// Calls decode_raw() for each tile and joins the results. Calls it once if no tiles are needed. `noise` begins the
    /// noise of an attempt of the tile with this number.
    Tensor decode_by_tiles(const Tensor& latents, const std::function<PlaneNoise(std::size_t tile)>& noise,
                           const ForwardContext& context) const;

    VaeConfig config_;
    Precision precision_;
    VideoConv conv_in_;
    ResnetStack mid_block_;
    std::vector<UpBlock> up_blocks_;
    std::optional<TimestepEmbedding> time_embedder_;
    Tensor scale_shift_table_;       ///< [2, C]: shift, scale of the last norm
    float timestep_multiplier_ = 1;  ///< stored with the weights
    VideoConv conv_out_;
    Tensor latents_mean_, latents_std_;
    DecodeNoise noise_;
    bool tiling_ = false;
    std::map<std::string, Tensor> record_;
};

}  // namespace kinescope::ltx
