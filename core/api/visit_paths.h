#pragma once

#include <filesystem>
#include <functional>

#include "core/api/video_request.h"

namespace kinescope {

enum class PathUse {
    model,  ///< weights
    input   ///< a picture, video or sound from which the video is made
};

/// Calls `visit` for each path that a request reads from, in a fixed order; the built-in model is left out.
void visit_paths(VideoRequest& request, const std::function<void(PathUse, std::filesystem::path&)>& visit);

/// Returns the request with the paths of the originals instead of copied inputs, see VideoRequest::originals.
VideoRequest with_originals(VideoRequest request);

}  // namespace kinescope
