#pragma once

#include <filesystem>
#include <functional>

#include "core/api/visit_paths.h"

namespace kinescope::computers {

/// A request as another computer sees it: `path_there` converts each path; the outputs get fixed names in `folder`.
/// Models must exist on the other computer; inputs travel with the request, which names their originals.
VideoRequest request_for(VideoRequest request, const std::filesystem::path& folder,
                         const std::function<std::filesystem::path(PathUse, const std::filesystem::path&)>& path_there);

/// Gives a request from the other computer, resolved or not, the paths of the one that was sent.
VideoRequest with_own_paths(VideoRequest resolved, const VideoRequest& own);

/// Where an output with this path below the job's folder there belongs on this computer; empty: nowhere. The paths
/// there are those of request_for, or longer ones that begin with the video's name.
std::filesystem::path own_output(const std::filesystem::path& there, const OutputRequest& own);

/// Returns the name of a frame, "00000.png", if an output below the job's folder there is one of a video of PNG frames;
/// otherwise an empty path.
std::filesystem::path frame_in(const std::filesystem::path& there, const OutputRequest& own);

/// Returns the folder of the frames on this computer.
std::filesystem::path frame_folder(const OutputRequest& own);

}  // namespace kinescope::computers
