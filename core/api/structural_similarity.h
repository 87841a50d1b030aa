#pragma once

#include "core/api/frame.h"

namespace kinescope {

/// Returns the SSIM of two images of the same size (Wang et al. 2004, "Image quality assessment: from error visibility
/// to structural similarity"): 1 for equal images. Computed from BT.709 luma over windows of 8 x 8 pixels with a stride
/// of 4; smaller images are a single window.
double structural_similarity(const Frame& a, const Frame& b);

}  // namespace kinescope
