#pragma once

namespace kinescope {

/// What a video, a GIF, a picture or a folder of PNG frames contains. The settings in a file describe the frames that
/// the model made: a finished or continued video has others.
struct VideoDescription {
    int width = 0;   ///< px, as shown
    int height = 0;  ///< px
    int num_frames = 0;
    double fps = 0;              ///< 0: unknown
    int stopped_after_step = 0;  ///< last step of a video that was decoded early; 0: all steps, or not known
    bool operator==(const VideoDescription&) const = default;
};

}  // namespace kinescope
