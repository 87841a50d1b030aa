#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// Returns the number of prompts that the alternatives in braces make, 1 without any, or nullopt if there are more than
/// the engine accepts.
std::optional<int> numPrompts(const std::string& prompt);

/// Returns the longest of the prompts that the alternatives in braces make, or the prompt itself if there are too many.
std::string longestPrompt(const std::string& prompt);

/// Returns `count` requests whose noise is close to that of `picked`: variations of its seed with new seeds. If
/// `picked` is a variation itself, they lie on the same arc between its two seeds, at strengths around its own.
/// Leaves out requests that are in `known`, whatever their outputs are. The outputs are empty. May return fewer
/// requests, because strengths end at 0 and 1.
std::vector<VideoRequest> neighbors(const VideoRequest& picked, int count, const std::vector<VideoRequest>& known);

}  // namespace kinescope::ui
