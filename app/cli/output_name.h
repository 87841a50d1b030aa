#pragma once

#include <filesystem>
#include <set>

#include "core/api/video_request.h"

namespace kinescope::cli {

/// A name in `folder` for a video without --output: "<first words of the prompt>-<seed>.mp4", with -2, -3 ... before
/// the ending where that is taken. The request's seed must be set.
/// `taken`: names that will be written.
std::filesystem::path free_output_name(const VideoRequest& request, const std::filesystem::path& folder,
                                       const std::set<std::filesystem::path>& taken = {});

/// A seed that is easy to type: 0 .. 2^31 - 1.
std::int64_t draw_seed();

}  // namespace kinescope::cli
