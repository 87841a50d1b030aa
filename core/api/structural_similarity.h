#pragma once

#include "core/api/frame.h"

namespace kinescope {

/// SSIM of two pictures of one size (Wang et al. 2004, "Image quality assessment: from error visibility to structural
/// similarity"): 1 for the same, less the more structure differs. Of the brightness (BT.709), over windows of 8 x 8
/// pixels, 4 apart; a picture smaller than a window is one window.
double structural_similarity(const Frame& a, const Frame& b);

}  // namespace kinescope
