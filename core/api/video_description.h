#pragma once

namespace kinescope {

/// What a video, a GIF, a picture or a folder of PNG frames contains. The settings in a file describe the frames that
/// the model made: a finished or continued video has others.
struct VideoDescription {
    int width = 0;   ///< px, as shown
    int height = 0;  ///< px
    int num_frames = 0;
    double fps = 0;  ///< 0: unknown
    bool operator==(const VideoDescription&) const = default;
};

}  // namespace kinescope
