#pragma once

#include <vector>

#include "core/api/resolved_request.h"
#include "core/models/diffusion_model.h"
#include "core/numerics/detectors.h"

namespace kinescope {

/// Runs detector S1 on the output of the text and image encoders. Returns findings for embeddings that are zero or
/// whose rows are all equal, and for two different prompts with the same embedding. Throws NumericError for NaN and
/// infinity.
std::vector<Finding> check_embeddings(const ResolvedContent& content, const Conditioning& conditioning);

}  // namespace kinescope
