#pragma once

#include <cstdint>

#include "core/models/wan/vae_blocks.h"

namespace kinescope::wan {

/// The factors by which a VAE level scales time and space.
struct Factors {
    std::int64_t time = 1;   ///< 1 or 2
    std::int64_t space = 1;  ///< 1 or 2
};

struct ResamplerConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    Factors factors;
};

/// Doubles height and width. If it has a time_conv, doubles the number of frames, too, except in the first chunk. Inner
/// sites: "time_conv", "resample.1".
class Upsampler {
public:
    Upsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision);
    /// Maps `frames` [T, H, W, in] -> [T or 2 T, 2 H, 2 W, out] float32.
    Tensor forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

private:
    Tensor double_time(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

    bool doubles_time_;
    CausalConv3d time_conv_;
    Conv2d conv_;
};

/// Halves height and width. If it has a time_conv, halves the number of frames, too, except in the first chunk. Inner
/// sites: "time_conv", "resample.1".
class Downsampler {
public:
    Downsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision);
    /// Maps `frames` [T, H, W, in] -> [T or T / 2, H / 2, W / 2, out] float32. T is even in every chunk after the
    /// first.
    Tensor forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

private:
    Tensor halve_time(const Tensor& frames, ChunkState& state, const OpScope& scope) const;

    bool halves_time_;
    Conv2d conv_;
    Linear time_conv_;  ///< its three taps as one matrix
};

/// Computes the shortcut around a downsampling level of a residual VAE. It has no weights: it averages pixels and
/// neighboring channels (diffusers' AvgDown3D).
Tensor shrinking_shortcut(const Tensor& frames, const ResamplerConfig& config);

/// Computes the shortcut around an upsampling level of a residual VAE. It has no weights: it repeats pixels (diffusers'
/// DupUp3D). The first chunk stays one frame.
Tensor growing_shortcut(const Tensor& frames, const ResamplerConfig& config, const ChunkState& state);

/// Converts frames to patches: [T, H, W, 3] -> [T, H / p, W / p, 3 p p], with the channels of a patch ordered (color,
/// column, row).
Tensor patchify(const Tensor& frames, std::int64_t patch_size);
/// Converts patches to frames: the inverse of patchify().
Tensor unpatchify(const Tensor& frames, std::int64_t patch_size);

}  // namespace kinescope::wan
