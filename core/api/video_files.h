#pragma once

#include <filesystem>
#include <vector>

#include "core/api/frame.h"
#include "core/api/video_request.h"

namespace kinescope {

/// Reads finished videos. Arguments and results are plain values, so that a proxy in another process could implement
/// the interface. Every method may be called from any thread and blocks until it is done.
class VideoFiles {
public:
    virtual ~VideoFiles() = default;

    /// Returns the request stored in a video's metadata. Throws Error(no_settings) if there is none.
    virtual VideoRequest read_settings(const std::filesystem::path& video) = 0;
    /// Decoded frames of a video. Throws Error(file_not_found, file_unreadable).
    virtual std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection) = 0;
};

}  // namespace kinescope
