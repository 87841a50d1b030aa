#pragma once

#include <vector>

#include "core/api/resolved_request.h"
#include "core/models/diffusion_model.h"
#include "core/numerics/detectors.h"

namespace kinescope {

/// Runs detector S1 on the encoders' output. Returns findings for embeddings whose rows are all equal and for two
/// different prompts with the same embedding. Throws NumericError for NaN and infinity.
std::vector<Finding> check_embeddings(const ResolvedContent& content, const Conditioning& conditioning);

}  // namespace kinescope
