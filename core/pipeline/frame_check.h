#pragma once

#include <vector>

#include "core/device/tensor.h"
#include "core/numerics/numeric_log.h"

namespace kinescope {

/// Detector S9: what every decoded frame must pass before it may become part of a video.
class FrameCheck {
public:
    /// `frames`: float32 [F, H, W, 3], 0..1, the next ones of the video. Returns their records. Throws
    /// Error(not_finite) at the first value that is NaN or Inf, whatever the guard's mode.
    std::vector<FrameRecord> add(const Tensor& frames);

    /// Throws Error(frames_black) when more than 90 % of the frames are black *and* more than 99 % of all values are
    /// exactly zero, or when more than 90 % of the frames hold one single value: a night scene or a grey wall that was
    /// asked for has noise in it, a broken decoder has not.
    void finish() const;

private:
    int num_frames_ = 0;
    int num_black_ = 0;
    int num_flat_ = 0;
    std::int64_t num_values_ = 0;
    std::int64_t num_zeros_ = 0;
};

}  // namespace kinescope
