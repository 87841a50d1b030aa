#pragma once

#include <vector>

#include "core/api/compute_precision.h"
#include "core/api/frame.h"
#include "core/device/tensor.h"
#include "core/numerics/frame_detector.h"
#include "core/numerics/numeric_log.h"

namespace kinescope {

/// Frames that passed the check, in 8 bits.
struct CheckedFrames {
    std::vector<FrameRecord> records;
    std::vector<FramePtr> pictures;
};

/// Detector S9, which checks every decoded frame before it becomes part of a video.
class FrameCheck {
public:
    /// Sets the compute dtype of the VAE for the next frames. Hints of errors depend on it.
    void set_vae_dtype(ElementType dtype) { vae_dtype_ = dtype; }

    /// Checks the next frames of the video, float32 [F, H, W, 3] in [0, 1]. Throws NumericError(not_finite) at the
    /// first NaN or infinity, in every mode of the guard.
    CheckedFrames add(const Tensor& frames);

    /// Completes the check; call this after the last frame. Throws NumericError(frames_black) for a video that only a
    /// fault can produce, see broken_video(). Returns findings for anything else that is unusual but may be intended.
    std::vector<Finding> finish(Evidence evidence) const;

private:
    FrameLevels count(const FramePtr& picture);

    ElementType vae_dtype_ = ElementType::float32;
    VideoFacts facts_;
    FramePtr last_;
};

}  // namespace kinescope
