#pragma once

#include <vector>

#include "app/cli/request_arguments.h"

namespace kinescope::cli {

/// Returns one request for each combination of the prompt's alternatives, see prompt_variants(), with each of
/// `num_seeds` consecutive seeds, starting at the request's seed or a random one. Outputs of several requests get
/// numbers: "cat.mp4" becomes "cat-1.mp4". Throws Error(bad_request) for more than 1000 requests.
std::vector<VideoRequest> explore(const VideoRequest& request, int num_seeds);

}  // namespace kinescope::cli
