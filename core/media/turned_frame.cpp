#include "core/media/turned_frame.h"

#include <algorithm>
#include <cstring>

namespace kinescope {
namespace {

constexpr std::ptrdiff_t kPixelBytes = 3;

struct Place {
    int x = 0;
    int y = 0;
};

/// Where the pixel at `to` of the rotated frame comes from.
Place source_of(const Place& to, const Frame& from, int quarter_turns) {
    switch (quarter_turns) {
        case 1:
            return {to.y, from.height - 1 - to.x};
        case 2:
            return {from.width - 1 - to.x, from.height - 1 - to.y};
        default:
            return {from.width - 1 - to.y, to.x};
    }
}

}  // namespace

Frame turned(Frame frame, int quarter_turns) {
    if (quarter_turns % 4 == 0) return frame;
    const bool is_on_its_side = quarter_turns % 2 != 0;
    Frame result{.width = is_on_its_side ? frame.height : frame.width,
                 .height = is_on_its_side ? frame.width : frame.height,
                 .pixels = std::vector<std::uint8_t>(frame.pixels.size())};
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x) {
            const Place from = source_of({x, y}, frame, quarter_turns);
            const auto offset = [](int column, int row, int width) {
                return std::size_t{kPixelBytes} * (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                                                   static_cast<std::size_t>(column));
            };
            std::memcpy(result.pixels.data() + offset(x, y, result.width),
                        frame.pixels.data() + offset(from.x, from.y, frame.width), kPixelBytes);
        }
    return result;
}

Frame mirrored(Frame frame, Mirror mirror) {
    if (mirror == Mirror::none) return frame;
    const auto row_bytes = kPixelBytes * frame.width;
    for (auto row = frame.pixels.begin(); row != frame.pixels.end(); row += row_bytes)
        for (int left = 0, right = frame.width - 1; left < right; ++left, --right)
            std::swap_ranges(row + kPixelBytes * left, row + kPixelBytes * (left + 1), row + kPixelBytes * right);
    return frame;
}

}  // namespace kinescope
