#pragma once

#include <vector>

#include "core/api/video_request.h"
#include "core/models/diffusion_model.h"
#include "core/numerics/detectors.h"

namespace kinescope {

/// Detector S1 on what the encoders made: rows that are all the same, and guidance between two equal prompts. Throws
/// Error(not_finite) for NaN and Inf.
std::vector<Finding> check_embeddings(const VideoRequest& request, const Conditioning& conditioning);

}  // namespace kinescope
