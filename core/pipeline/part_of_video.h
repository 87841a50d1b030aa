#pragma once

#include <filesystem>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope {

/// A video with which another one begins.
struct EarlierVideo {
    std::filesystem::path file;
    int num_frames = 0;  ///< that it must have; 0: any number
};

/// The place of a run in a long video, see VideoRequest::next_prompts.
struct PartOfVideo {
    VideoRequest whole;
    int num_parts = 1;  ///< that are made; fewer than those of `whole` in a video that is decoded early
    int index = 0;      ///< of the part that the run makes
    /// The videos of the parts before it, in order. Each begins with the last frames of the one before it in their
    /// final form, see overlap_frames. They have the size of the result.
    std::vector<EarlierVideo> before = {};
    int stopped_after_step = 0;  ///< last step over all parts of a video that is decoded early; 0: all steps run

    bool is_last() const { return index + 1 == num_parts; }
};

}  // namespace kinescope
