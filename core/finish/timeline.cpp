#include "core/finish/timeline.h"

#include <algorithm>

namespace kinescope {
namespace {

/// Share of a frame of the result that rounding may move a position by.
constexpr double kRounding = 1e-3;

}  // namespace

std::vector<double> Timeline::between(double from, double to) {
    const double slack = kRounding / frames_per_unit_;
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
