#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/ltx/vae_blocks.h"

namespace kinescope::ltx {

/// The encoding of a video: a normal distribution for each latent. All channels share the logarithm of the variance.
struct Posterior {
    Tensor mean;    ///< float32 [1, z, f, h, w]
    Tensor logvar;  ///< float32 [1, 1, f, h, w], clamped
};

/// The encoder of AutoencoderKLLTXVideo. Sites: "encoder.conv_in", those of the blocks' layers,
/// "encoder.down_blocks.N", "encoder.mid_block", "encoder.conv_out"; values [T, H, W, C].
class VaeEncoder {
public:
    VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision);
    /// Returns the prefixes of the names of tensors in the file that this part of the VAE does not need.
    static std::vector<std::string> unneeded() { return {"decoder."}; }

    /// Encodes `video` [1, 3, F, H, W] in [-1, 1] with F = 8 n + 1. This is one transaction. The results are on the
    /// CPU.
    Posterior encode(const Tensor& video, const ForwardContext& context) const;
    /// Converts latents from the range of the VAE to that of the denoiser.
    Tensor normalized(const Tensor& latents) const;

private:
    struct DownBlock {
        ResnetStack resnets;
        std::optional<Downsampler> downsampler;
        std::optional<Resnet> conv_out;  ///< to another width
    };

    DownBlock down_block(const WeightScope& scope, const EncoderLevel& level) const;
    Tensor run_encoder(const Tensor& patches, const ForwardContext& context) const;

    VaeConfig config_;
    Precision precision_;
    VideoConv conv_in_;
    std::vector<DownBlock> down_blocks_;
    ResnetStack mid_block_;
    VideoConv conv_out_;
    Tensor latents_mean_, latents_std_;  ///< [1, z, 1, 1, 1] on the CPU
};

/// Loads one number for each channel, float32 [1, z, 1, 1, 1].
Tensor take_channels(const WeightScope& scope, const char* name, std::int64_t channels, const Precision& precision);

}  // namespace kinescope::ltx
