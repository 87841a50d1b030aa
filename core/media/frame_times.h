#pragma once

#include <vector>

#include "core/media/video_info.h"

namespace kinescope {

/// What the times of a video's frames say.
struct FrameTimes {
    FrameRate rate;  ///< mean frame rate; the declared one if they agree; 0: unknown
    FrameTiming timing = FrameTiming::constant;
};

/// Finds rate and timing. `seconds`: the time of each frame in any order, NaN for unknown ones; `declared`: the file's
/// own frame rate, 0 if it has none. The timing is constant if each frame is within half a frame of an even grid.
FrameTimes frame_times(std::vector<double> seconds, double declared);

/// Returns the fraction for a frame rate: a whole number or one of 24000/1001 and its like if it is within 0.1 %.
FrameRate frame_rate_of(double fps);

}  // namespace kinescope
