#pragma once

#include <cstdint>
#include <vector>

#include "core/device/precision.h"
#include "core/nn/conv2d.h"
#include "core/nn/linear.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// What stands for the frames before the first chunk.
enum class Past { zeros, first_frame };

struct CausalConv3dConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel_time = 3;
    std::int64_t kernel_space = 3;
    Past past = Past::zeros;
};

/// A causal 3-D convolution that processes a video chunk by chunk: each result depends on the current and earlier
/// frames only.
/// Frames have layout [T, H, W, C]. One 2-D convolution kernel accumulates the sum over the temporal taps. Leading taps
/// whose weights are all zero are dropped at load time.
class CausalConv3d {
public:
    CausalConv3d() = default;
    CausalConv3d(const WeightScope& scope, const CausalConv3dConfig& config, const Precision& precision);

    /// Convolves `frames` [T, H, W, in] -> [T, H, W, out] in OpPrecision::compute, or in float32 on the scaled level.
    /// `history` contains the last input frames of earlier chunks, and is undefined before the first chunk. The call
    /// updates it for the next chunk.
    Tensor operator()(const Tensor& frames, Tensor& history, const OpPrecision& op) const;

    /// Convolves like operator() at the inner site `inner` of `scope`, and offers a part of the first result for a
    /// second computation. Only for kernel_space above 1.
    Tensor shadowed(const char* inner, const Tensor& frames, Tensor& history, const OpScope& scope) const;

    /// Convolves without causality: each result depends on the previous, the current and the next frame, with zero
    /// padding. Only for kernel_time 3 and kernel_space 1.
    Tensor centered(const Tensor& frames, const OpPrecision& op) const;

private:
    Tensor sum_of_taps(const Tensor& frames) const;
    /// Returns the taps_ - 1 frames before `frames`. An undefined tensor stands for a frame of zeros.
    std::vector<Tensor> past(const Tensor& frames, const Tensor& history) const;
    Tensor last_frames(const Tensor& frames, const Tensor& history) const;
    Tensor input_of_first_middle(const Tensor& frames, const Tensor& history) const;
    Tensor stack_taps(const std::vector<Tensor>& window, std::int64_t first, std::int64_t count) const;
    Tensor convolve(const Tensor& stacked, const OpPrecision& op) const;

    std::int64_t taps_ = 1;  ///< number of temporal taps in use, i.e. of frames that a result depends on
    bool pointwise_ = false;
    Past past_ = Past::zeros;
    Linear linear_;
    Conv2d conv_;
};

}  // namespace kinescope
