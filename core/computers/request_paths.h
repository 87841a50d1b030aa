#pragma once

#include <filesystem>
#include <functional>

#include "core/api/video_request.h"

namespace kinescope::computers {

enum class PathUse {
    model,  ///< weights: must exist on the other computer
    input   ///< a picture, video or sound: travels with the request
};

/// Calls `visit` for each path that a request reads from, in a fixed order; the built-in model is left out.
void visit_paths(VideoRequest& request, const std::function<void(PathUse, std::filesystem::path&)>& visit);

/// A request as another computer sees it: `path_there` converts each path; the outputs get fixed names in `folder`.
VideoRequest request_for(VideoRequest request, const std::filesystem::path& folder,
                         const std::function<std::filesystem::path(PathUse, const std::filesystem::path&)>& path_there);

/// Gives a request from the other computer, resolved or not, the paths of the one that was sent.
VideoRequest with_own_paths(VideoRequest resolved, const VideoRequest& own);

/// Where an output with this path below the job's folder there belongs on this computer; empty: nowhere. The paths
/// there are those of request_for, or longer ones that begin with the video's name.
std::filesystem::path own_output(const std::filesystem::path& there, const OutputRequest& own);

}  // namespace kinescope::computers
