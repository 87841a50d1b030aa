#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/cogvideox/config.h"
#include "core/models/cogvideox/vae_blocks.h"

namespace kinescope::cogvideox {

/// The encoder of AutoencoderKLCogVideoX. A chunk has 8 frames; the first chunk contains the remainder, too. Sites in
/// each chunk: "encoder.conv_in", those of the blocks' layers, "encoder.down_blocks.N", "encoder.mid_block",
/// "encoder.conv_out"; values [T, H, W, C].
class VaeEncoder {
public:
    VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision);
    /// Returns the prefixes of the names of tensors in the file that this part of the VAE does not need.
    static std::vector<std::string> unneeded() { return {"decoder."}; }

    /// Returns mean and logarithm of the variance of `video` [1, 3, F, H, W] in [-1, 1]: float32 [1, 2 z, f, h, w] on
    /// the device. Each chunk is a transaction.
    Tensor moments(const Tensor& video, const ForwardContext& context) const;

private:
    struct DownBlock {
        std::vector<Resnet> resnets;
        std::optional<Downsampler> downsampler;
    };

    void add_down_blocks(const WeightScope& scope);
    ResnetConfig resnet(std::int64_t in, std::int64_t out) const;
    Tensor encode_chunk(const Tensor& frames, ConvHistory& history, const ForwardContext& context) const;

    VaeConfig config_;
    Precision precision_;
    CausalConv3d conv_in_;
    std::vector<DownBlock> down_blocks_;
    std::vector<Resnet> mid_resnets_;
    ChunkNorm norm_out_;
    CausalConv3d conv_out_;
};

}  // namespace kinescope::cogvideox
