#include "ui/models/frame_pairs.h"

#include <algorithm>
#include <cmath>

namespace kinescope::ui {
namespace {

/// Returns the distance between two frames that are read, in frames of the video.
double spacingOf(ReadFrames read) {
    return read.numRead > 1 ? std::max(1.0, static_cast<double>(read.numFrames - 1) / (read.numRead - 1)) : 1.0;
}

}  // namespace

std::vector<std::pair<int, int>> framePairs(ReadFrames a, ReadFrames b) {
    // The frames of the video of which fewer are read have the nearest partners.
    const double spacing = std::max(spacingOf(a), spacingOf(b));
    const auto indexOf = [](ReadFrames read, double number) {
        return static_cast<int>(std::lround(number / spacingOf(read)));
    };
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0;; ++i) {
        const std::pair<int, int> pair{indexOf(a, i * spacing), indexOf(b, i * spacing)};
        if (pair.first >= a.numRead || pair.second >= b.numRead) return pairs;
        pairs.push_back(pair);
    }
}

}  // namespace kinescope::ui
