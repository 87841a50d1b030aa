#pragma once

#include <filesystem>
#include <set>

#include "core/api/video_request.h"

namespace kinescope::cli {

/// Returns an unused name in `folder` for a video without --output: "<first words of the prompt>-<seed>.mp4", or with
/// -2, -3 ... before the extension. The request's seed must be set. `taken`: reserved names that do not exist yet.
std::filesystem::path free_output_name(const VideoRequest& request, const std::filesystem::path& folder,
                                       const std::set<std::filesystem::path>& taken = {});

/// Draws a seed that is easy to type: 0 to 2^31 - 1.
std::int64_t draw_seed();

}  // namespace kinescope::cli
