#pragma once

#include <cstdint>

#include "core/models/wan/vae_blocks.h"

namespace kinescope::wan {

/// By how much a level of the VAE changes frames and sides.
struct Factors {
    std::int64_t time = 1;   ///< 1 or 2
    std::int64_t space = 1;  ///< 1 or 2
};

struct ResamplerConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    Factors factors;
};

/// Twice the size, in time too if it has a time_conv, except for the first chunk. Inner sites: "time_conv",
/// "resample.1".
class Upsampler {
public:
    Upsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision);
    /// [T, H, W, in] -> [T or 2 T, 2 H, 2 W, out] float32.
    Tensor forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

private:
    Tensor double_time(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

    bool doubles_time_;
    CausalConv3d time_conv_;
    Conv2d conv_;
};

/// Half the size, in time too if it has a time_conv, except for the first chunk. Inner sites as above.
class Downsampler {
public:
    Downsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision);
    /// [T, H, W, in] -> [T or T / 2, H / 2, W / 2, out] float32. T is even from the second chunk on.
    Tensor forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

private:
    Tensor halve_time(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

    bool halves_time_;
    Conv2d conv_;
    Linear time_conv_;  ///< its three taps side by side
};

/// The shortcut around a level of a residual VAE that shrinks: means over the pixels and neighbouring channels that
/// become one (diffusers' AvgDown3D). No weights.
Tensor shrinking_shortcut(const Tensor& frames, const ResamplerConfig& config);

/// The one around a level that grows: pixels repeated (diffusers' DupUp3D). The first chunk stays one frame.
Tensor growing_shortcut(const Tensor& frames, const ResamplerConfig& config, const ChunkState& state);

/// [T, H, W, 3] -> [T, H / p, W / p, 3 p p]: the channels of a patch lie (colour, column, row).
Tensor patchify(const Tensor& frames, std::int64_t patch_size);
/// The inverse.
Tensor unpatchify(const Tensor& frames, std::int64_t patch_size);

}  // namespace kinescope::wan
