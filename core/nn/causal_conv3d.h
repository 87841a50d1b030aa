#pragma once

#include <cstdint>
#include <vector>

#include "core/device/precision.h"
#include "core/nn/conv2d.h"
#include "core/nn/linear.h"

namespace kinescope {

/// What stands before the first chunk.
enum class Past { zeros, first_frame };

struct CausalConv3dConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel_time = 3;
    std::int64_t kernel_space = 3;
    Past past = Past::zeros;
};

/// A 3-D convolution that looks at this frame and the ones before it, fed chunk by chunk.
///
/// Frames lie [T, H, W, C]. The temporal taps are stacked along the channels, so that one 2-D convolution does the work
/// and its sum is accumulated in one kernel; the oldest taps are left out if their weights are all zero (found once, at
/// load).
class CausalConv3d {
public:
    CausalConv3d() = default;
    CausalConv3d(const WeightScope& scope, const CausalConv3dConfig& config, const Precision& precision);

    /// `frames` [T, H, W, in] -> [T, H, W, out] in OpPrecision::compute, or float32 on the scaled rung. `history` holds
    /// the last input frames of the chunks before, if there were so many; undefined at the first one. It is replaced by
    /// what the next chunk needs.
    Tensor operator()(const Tensor& frames, Tensor& history, const OpPrecision& op) const;

    /// The same with as many frames ahead as behind, zeros where there are none, for kernel_time 3 and kernel_space 1.
    Tensor centred(const Tensor& frames, const OpPrecision& op) const;

private:
    Tensor sum_of_taps(const Tensor& frames) const;
    /// The frames before these that the taps look at; undefined ones are zeros.
    std::vector<Tensor> past(const Tensor& frames, const Tensor& history) const;
    Tensor last_frames(const Tensor& frames, const Tensor& history) const;
    Tensor stack_taps(const std::vector<Tensor>& window, std::int64_t first, std::int64_t count) const;
    Tensor convolve(const Tensor& stacked, const OpPrecision& op) const;

    std::int64_t taps_ = 1;  ///< that are kept: frames that a result looks at
    bool pointwise_ = false;
    Past past_ = Past::zeros;
    Linear linear_;
    Conv2d conv_;
};

}  // namespace kinescope
