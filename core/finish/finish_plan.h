#pragma once

#include <filesystem>

#include "core/api/finish_steps.h"
#include "core/media/video_info.h"

namespace kinescope {

/// `upscale_first` enlarges only the frames of the source. `interpolate_first` needs less memory, because interpolation
/// cannot work in tiles.
enum class FinishOrder { upscale_first, interpolate_first };

/// What the steps start from.
struct FinishSource {
    int width = 0;   ///< px
    int height = 0;  ///< px
    int num_frames = 0;
    FrameRate rate;
    FrameTiming timing = FrameTiming::constant;
    double span = 0;  ///< s, from the first frame to the last; used only for variable timing
};

/// What the steps make of it.
struct FinishPlan {
    FinishSource source;
    FinishSteps steps;
    FinishOrder order = FinishOrder::upscale_first;
    int network_scale = 1;  ///< of the upscaler; 1: none
    int width = 0;          ///< px
    int height = 0;         ///< px
    int num_frames = 0;     ///< expected
    FrameRate rate;
    double frames_per_unit = 1;  ///< see Timeline

    double seconds() const { return rate.value() > 0 ? num_frames / rate.value() : 0; }
};

/// Pure. Throws Error(bad_request) for an enlargement beyond the upscaler's, a side above 16384 px (also before the
/// enlarged picture is shrunk), a frame rate above 240, or more than 10,000,000 frames. A source without a rate has 8
/// frames per second.
FinishPlan plan_finish(const FinishSource& source, const FinishSteps& steps, int network_scale);

/// Throws Error(bad_request) if the format of the result cannot hold its frame rate: GIF holds at most 50 frames per
/// second.
void check_format(const FinishPlan& plan, const std::filesystem::path& output);

}  // namespace kinescope
