#include "core/models/video_vae.h"

#include <ATen/ATen.h>

#include <limits>

namespace kinescope {

Tensor clamped_frames(const Tensor& frames, double low, double high) {
    return at::where(at::isfinite(frames), frames.clamp(low, high), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace kinescope
