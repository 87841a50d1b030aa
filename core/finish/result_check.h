#pragma once

#include <string>

#include "core/api/frame.h"
#include "core/device/tensor.h"
#include "core/numerics/frame_detector.h"

namespace kinescope {

/// A step that computes frames, as messages name it.
enum class ComputedBy { upscaler, interpolator };

/// Throws NumericError(not_finite) if a picture contains NaN or infinity. `number`: of the frame of the result, from 1.
void check_finite(const Tensor& picture, ComputedBy step, int number);

/// Throws NumericError(frames_black) if a frame has lost the contrast of the source frame from which it was computed:
/// no working network does this.
void check_contrast(const FrameLevels& source, const FrameLevels& result, ComputedBy step, int number);

/// Returns the levels of a frame.
FrameLevels levels_of(const Frame& frame);

}  // namespace kinescope
