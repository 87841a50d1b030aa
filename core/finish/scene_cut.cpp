#include "core/finish/scene_cut.h"

#include <algorithm>

#include "core/api/structural_similarity.h"

namespace kinescope {
namespace {

constexpr int kThumbnailSide = 32;
constexpr double kCutSimilarity = 0.2;

/// The mean of the pixels of each of 32 x 32 areas; fewer for smaller frames.
Frame thumbnail(const Frame& frame) {
    const int width = std::min(kThumbnailSide, frame.width);
    const int height = std::min(kThumbnailSide, frame.height);
    Frame small{.width = width, .height = height, .pixels = {}};
    const auto edge = [](int index, int of, int side) {
        return static_cast<int>(static_cast<std::int64_t>(index) * side / of);
    };
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int top = edge(y, height, frame.height);
            const int bottom = edge(y + 1, height, frame.height);
            const int left = edge(x, width, frame.width);
            const int right = edge(x + 1, width, frame.width);
            std::int64_t sums[3] = {};
            for (int row = top; row < bottom; ++row)
                for (int column = left; column < right; ++column)
                    for (std::size_t channel = 0; channel < 3; ++channel)
                        sums[channel] +=
                            frame.pixels[3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(frame.width) +
                                              static_cast<std::size_t>(column)) +
                                         channel];
            const std::int64_t count = std::int64_t{bottom - top} * (right - left);
            for (const std::int64_t sum : sums) small.pixels.push_back(static_cast<std::uint8_t>(sum / count));
        }
    return small;
}

}  // namespace

FrameStep step_between(const Frame& a, const Frame& b) {
    if (a.width != b.width || a.height != b.height) return FrameStep::scene_cut;
    if (a.pixels == b.pixels) return FrameStep::none;
    const double similarity = structural_similarity(thumbnail(a), thumbnail(b));
    return similarity < kCutSimilarity ? FrameStep::scene_cut : FrameStep::motion;
}

}  // namespace kinescope
