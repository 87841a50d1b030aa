#include "core/finish/timeline.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/api/error.h"

namespace kinescope {
namespace {

/// Share of a frame of the result that rounding may move a position by.
constexpr double kRounding = 1e-3;
/// 1,000,000 frames are 4 hours at 60 frames per second.
constexpr double kLongestGap = 1e6;

void check_gap(double frames) {
    if (frames <= kLongestGap) return;
    throw Error(ErrorCode::file_unreadable,
                "a gap between two frames of the video would take " + std::to_string(std::llround(frames)) +
                    " frames of the result; the limit is 1000000",
                "The times in the file are probably damaged. Copy the video with constant frame times first, for "
                "example with FFmpeg.");
}

}  // namespace

std::vector<double> Timeline::between(double from, double to) {
    const double slack = kRounding / frames_per_unit_;
    check_gap(std::min((to - from) * frames_per_unit_, 1e18));
    std::vector<double> fractions;
    for (; position() < to - slack; ++next_) {
        const double way = (position() - from) / (to - from);
        fractions.push_back(position() <= from + slack ? 0 : std::clamp(way, 0.0, 1.0));
    }
    return fractions;
}

bool Timeline::is_due(double last) const {
    return position() <= last + kRounding / frames_per_unit_;
}

}  // namespace kinescope
