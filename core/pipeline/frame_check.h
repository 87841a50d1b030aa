#pragma once

#include <string>
#include <vector>

#include "core/api/frame.h"
#include "core/device/tensor.h"
#include "core/numerics/frame_detector.h"
#include "core/numerics/numeric_log.h"

namespace kinescope {

/// Frames that passed, as they are written.
struct CheckedFrames {
    std::vector<FrameRecord> records;
    std::vector<FramePtr> pictures;
};

/// Detector S9: what every decoded frame must pass before it may become part of a video.
class FrameCheck {
public:
    /// The dtype in which the VAE decodes the next frames: errors give advice accordingly.
    void set_vae_dtype(std::string dtype) { vae_dtype_ = std::move(dtype); }

    /// `frames`: float32 [F, H, W, 3], 0..1, the next ones of the video. Throws Error(not_finite) at the first value
    /// that is NaN or Inf, whatever the guard's mode.
    CheckedFrames add(const Tensor& frames);

    /// Throws Error(frames_black) for a video that only a fault makes, see broken_video. Returns what is suspicious but
    /// may be intended.
    std::vector<Finding> finish(Evidence evidence) const;

private:
    FrameLevels count(const FramePtr& picture);

    std::string vae_dtype_ = "float32";
    VideoFacts facts_;
    FramePtr last_;
};

}  // namespace kinescope
