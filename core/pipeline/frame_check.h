#pragma once

#include <vector>

#include "core/device/tensor.h"
#include "core/numerics/frame_detector.h"
#include "core/numerics/numeric_log.h"

namespace kinescope {

/// Detector S9: what every decoded frame must pass before it may become part of a video.
class FrameCheck {
public:
    /// `frames`: float32 [F, H, W, 3], 0..1, the next ones of the video. Returns their records. Throws
    /// Error(not_finite) at the first value that is NaN or Inf, whatever the guard's mode.
    std::vector<FrameRecord> add(const Tensor& frames);

    /// Throws Error(frames_black) for a video that only a fault makes, see broken_video. Returns what is odd but may
    /// have been asked for.
    std::vector<Finding> finish(Evidence evidence) const;

private:
    void count(const Tensor& frame, const TensorStats& stats);

    VideoFacts facts_;
    Tensor last_;
};

}  // namespace kinescope
