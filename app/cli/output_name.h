#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "core/api/video_request.h"

namespace kinescope::cli {

/// Returns the name by which two outputs are compared: absolute, without "." and "..", and without a slash at the end.
std::filesystem::path absolute_name(const std::filesystem::path& output);

/// Returns an unused name in `folder` for a video without --output: "<first words of the prompt>-<seed>.mp4". If
/// needed, inserts -2, -3 and so on before the extension. The request must have a seed. `taken` are the
/// absolute_name()s that are reserved for files that do not exist yet.
std::filesystem::path free_output_name(const VideoRequest& request, const std::filesystem::path& folder,
                                       const std::set<std::filesystem::path>& taken = {});

/// Inserts text before the extension: "a.mp4" and "-2" make "a-2.mp4". A folder, which is a path with a slash at its
/// end, has no extension: "a.v1/" and "-2" make "a.v1-2/".
std::filesystem::path with_suffix(const std::filesystem::path& file, const std::string& suffix);

/// Adds missing seeds and unused output names. The requests of a batch are prepared before the first one runs, so their
/// names must differ.
class RequestFinisher {
public:
    /// Keeps the output of a request, if it has one, from being chosen for another request.
    void reserve(const VideoRequest& request);
    VideoRequest finish(VideoRequest request);

private:
    std::set<std::filesystem::path> taken_;
};

}  // namespace kinescope::cli
