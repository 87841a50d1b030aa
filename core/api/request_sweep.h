#pragma once

#include <vector>

#include "core/api/video_request.h"

namespace kinescope {

/// Returns one request for each combination of the prompt's alternatives, see prompt_variants(), with each of
/// `num_seeds` consecutive seeds, the first of which is `first_seed`; 0 follows the largest seed. The outputs stay
/// those of `request`. Throws Error(bad_request) for more than kMostPromptVariants requests.
std::vector<VideoRequest> request_sweep(const VideoRequest& request, int num_seeds, std::uint64_t first_seed);

}  // namespace kinescope
