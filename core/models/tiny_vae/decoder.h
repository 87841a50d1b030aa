#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/models/tiny_vae/config.h"
#include "core/models/tiny_vae/detail.h"
#include "core/nn/conv2d.h"
#include "core/numerics/probe.h"

namespace kinescope::tiny_vae {

/// Inputs that the memory blocks keep from the frame before, in their order; empty before the first frame.
using Past = std::vector<Tensor>;

/// The decoder of TAEHV, one latent frame at a time. Frames are [T, H, W, C]. Sites: "decoder.N" with N the index of
/// the layer in the file.
class Decoder {
public:
    Decoder(const WeightScope& scope, const Config& config, const Precision& precision);

    /// `latent_frame`: [1, h, w, C], normalized, as the denoiser produces it. Returns [T, H, W, 3], 0..1 except for
    /// invalid values, which become NaN. Advances `past` by the frame.
    Tensor decode(const Tensor& latent_frame, const Detail& detail, Past& past, const ForwardContext& context) const;

private:
    struct MemoryBlock {
        std::array<Conv2d, 3> convs;
    };
    struct Level {
        std::vector<MemoryBlock> blocks;
        Conv2d over_time;  ///< 1x1: the channels of several frames
        Conv2d to_next;
        std::int64_t frames = 1;
    };

    Level level(const WeightScope& decoder, std::size_t index) const;
    Tensor run_block(const MemoryBlock& block, const Tensor& frames, Tensor& past, const OpPrecision& op) const;
    Tensor more_frames(const Level& level, const Tensor& frames, const Detail& detail, const OpPrecision& op) const;

    Config config_;
    Precision precision_;
    Conv2d first_;
    std::vector<Level> levels_;
    Conv2d to_pixels_;
};

}  // namespace kinescope::tiny_vae
