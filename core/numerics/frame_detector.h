#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/numerics/detectors.h"

namespace kinescope {

/// What all frames of a video are like, in 0..1 (detector S9).
struct VideoFacts {
    int num_frames = 0;
    int num_black = 0;   ///< mean below 2/255, deviation below 1/255
    int num_single = 0;  ///< every value the very same
    int num_grey = 0;    ///< mean 127 +- 2, deviation below 2/255
    int num_frozen = 0;  ///< equal to the frame before, bit by bit
    std::int64_t num_values = 0;
    std::int64_t num_zeros = 0;
    std::int64_t num_ends = 0;  ///< exactly 0 or exactly 1
};

/// Evidence that something went wrong before the frames: an alarm that was not healed.
enum class Evidence { none, open_alarm };

/// Pure. A night scene, a fade or a wall of one colour that was asked for has noise in it; a broken decoder has not.
/// So only exact zeros in more than 99 % of the values of black frames, or frames of one single value, are an error by
/// themselves; black, grey and saturated frames are one together with an open alarm. Returns the error's text.
std::optional<std::string> broken_video(const VideoFacts& facts, Evidence evidence);

/// Warnings: frozen and saturated videos.
std::vector<Finding> find_in_video(const VideoFacts& facts);

}  // namespace kinescope
