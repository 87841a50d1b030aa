#include "ui/widgets/plots/plot_labels.h"

#include <algorithm>
#include <cmath>

namespace kinescope::ui {

namespace {

constexpr double kLabelGap = 3;  ///< px to an edge

}  // namespace

double ringLabelBaseline(double y, double top, double bottom, const TextHeight& text) {
    if (y - top < text.all()) return std::max(y, top) + text.ascent + kLabelGap;
    if (bottom - y < text.all()) return y - text.descent - kLabelGap;
    return y + text.ascent / 2 - 1;
}

std::array<double, 2> nameCenters(const std::array<double, 2>& ends, NameRoom room, const TextHeight& text) {
    std::array<double, 2> middles = ends;
    const double apart = std::abs(ends[0] - ends[1]);
    const double moved = room == NameRoom::none ? text.all()
                                                : std::max((text.all() - apart) / 2,
                                                           0.0);  // distance between each name and the end of its line
    const std::size_t upper = ends[0] <= ends[1] ? 0 : 1;
    middles[upper] -= moved;
    middles[1 - upper] += moved;
    return middles;
}

}  // namespace kinescope::ui
