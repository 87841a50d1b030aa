#pragma once

#include <string>
#include <vector>

#include "app/cli/request_arguments.h"

namespace kinescope::cli {

/// Returns one request per prompt: the first one, and for each of the `prompts` a request that continues the video
/// before it. Only the last one writes the files of `first` and has its finish steps; the others write lossless videos
/// beside it, named "<name>-part1.mkv" and so on, which stay. Each part has the seed after that of the part before it.
/// Adds the faults of the model's card to each request. Throws Error(output_exists) if a part would replace a file
/// without permission, and Error(bad_request) if the seeds would be too large.
std::vector<ReadRequest> chain_prompts(ReadRequest first, const std::vector<std::string>& prompts, Engine& engine);

}  // namespace kinescope::cli
