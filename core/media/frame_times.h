#pragma once

#include <vector>

#include "core/media/video_info.h"

namespace kinescope {

/// What the times of a video's frames say.
struct FrameTimes {
    FrameRate rate;  ///< frames per second; 0: unknown
    FrameTiming timing = FrameTiming::constant;
    double span = 0;  ///< s, from the first frame to the last; 0: unknown
};

/// Rates that a file declares, in frames per second; 0: none.
struct DeclaredRates {
    double mean = 0;
    double grid = 0;  ///< the lowest rate in whose grid all times lie
};

/// Finds rate and timing. `seconds`: the time of each frame in any order, NaN for unknown ones. The timing is constant
/// if each frame is within half a frame of an even grid. The rate of a variable timing is that of the grid, unless this
/// is much finer than the frames.
FrameTimes frame_times(std::vector<double> seconds, const DeclaredRates& declared);

/// Returns the rate with which the frames of a video, evenly spaced, are as long as the video; 0: unknown.
FrameRate even_rate(const VideoInfo& video);

/// Returns the fraction for a frame rate: a whole number or one of 24000/1001 and its like if it is within 0.1 %.
FrameRate frame_rate_of(double fps);

}  // namespace kinescope
