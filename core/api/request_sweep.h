#pragma once

#include <vector>

#include "core/api/video_request.h"

namespace kinescope {

/// Returns one request for each combination of the prompt's alternatives, see prompt_variants(), with each of
/// `num_seeds` consecutive seeds, the first of which is `first_seed`. The outputs stay those of `request`. Throws
/// Error(bad_request) for more than kMostPromptVariants requests and for seeds that are too large.
std::vector<VideoRequest> request_sweep(const VideoRequest& request, int num_seeds, std::int64_t first_seed);

}  // namespace kinescope
