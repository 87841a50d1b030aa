#include "core/media/palette.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

namespace kinescope {
namespace {

constexpr int kNearestBits = 6;

int cell_of(int red, int green, int blue, int bits) {
    const int shift = 8 - bits;
    return (red >> shift) << (2 * bits) | (green >> shift) << bits | blue >> shift;
}

/// One color of the histogram: the mean color of a cell.
struct Entry {
    std::array<double, 3> color;
    double count;
};

struct Box {
    std::size_t begin;
    std::size_t end;
    std::array<double, 3> mean;
    int widest;     ///< the channel with the largest spread
    double spread;  ///< sum of squared distances in that channel
};

Box measure(const std::vector<Entry>& entries, std::size_t begin, std::size_t end) {
    double count = 0;
    std::array<double, 3> sum{};
    std::array<double, 3> squares{};
    for (std::size_t i = begin; i < end; ++i) {
        count += entries[i].count;
        for (std::size_t c = 0; c < 3; ++c) {
            sum[c] += entries[i].count * entries[i].color[c];
            squares[c] += entries[i].count * entries[i].color[c] * entries[i].color[c];
        }
    }
    Box box{begin, end, {}, 0, 0};
    for (std::size_t c = 0; c < 3; ++c) {
        box.mean[c] = sum[c] / count;
        const double spread = end - begin > 1 ? squares[c] - sum[c] * box.mean[c] : 0;
        if (spread <= box.spread) continue;
        box.spread = spread;
        box.widest = static_cast<int>(c);
    }
    return box;
}

/// Splits a box at its mean in the widest channel. Returns nullopt if rounding leaves one half empty.
std::optional<std::pair<Box, Box>> split(std::vector<Entry>& entries, const Box& box) {
    const auto channel = static_cast<std::size_t>(box.widest);
    const auto first = entries.begin() + static_cast<std::ptrdiff_t>(box.begin);
    const auto last = entries.begin() + static_cast<std::ptrdiff_t>(box.end);
    const auto middle = std::stable_partition(
        first, last, [&](const Entry& entry) { return entry.color[channel] <= box.mean[channel]; });
    if (middle == first || middle == last) return std::nullopt;
    const auto cut = static_cast<std::size_t>(middle - entries.begin());
    return std::pair{measure(entries, box.begin, cut), measure(entries, cut, box.end)};
}

Rgb rounded(const std::array<double, 3>& color) {
    Rgb rgb{};
    for (std::size_t c = 0; c < 3; ++c) rgb[c] = static_cast<std::uint8_t>(std::clamp(color[c] + 0.5, 0.0, 255.0));
    return rgb;
}

int nearest_index(const std::vector<Rgb>& palette, int red, int green, int blue) {
    int best = 0;
    int best_distance = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const int r = red - palette[i][0];
        const int g = green - palette[i][1];
        const int b = blue - palette[i][2];
        // The weights are close to those of luminance, because the eye is most sensitive to green.
        const int distance = 3 * r * r + 6 * g * g + b * b;
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = static_cast<int>(i);
    }
    return best;
}

}  // namespace

void ColorHistogram::add(const Frame& frame) {
    for (std::size_t i = 0; i + 2 < frame.pixels.size(); i += 3) {
        const std::uint8_t* pixel = frame.pixels.data() + i;
        Cell& cell = cells_[static_cast<std::size_t>(cell_of(pixel[0], pixel[1], pixel[2], kBits))];
        ++cell.count;
        for (std::size_t c = 0; c < 3; ++c) cell.sums[c] += pixel[c];
    }
}

std::vector<Rgb> ColorHistogram::palette(int max_colors) const {
    std::vector<Entry> entries;
    for (const Cell& cell : cells_) {
        if (cell.count == 0) continue;
        const auto count = static_cast<double>(cell.count);
        entries.push_back({{static_cast<double>(cell.sums[0]) / count, static_cast<double>(cell.sums[1]) / count,
                            static_cast<double>(cell.sums[2]) / count},
                           count});
    }
    if (entries.empty()) return {Rgb{}};
    std::vector<Box> boxes = {measure(entries, 0, entries.size())};
    while (boxes.size() < static_cast<std::size_t>(max_colors)) {
        const auto widest = std::max_element(boxes.begin(), boxes.end(),
                                             [](const Box& a, const Box& b) { return a.spread < b.spread; });
        if (widest->spread <= 0) break;
        const auto halves = split(entries, *widest);
        if (!halves) {
            widest->spread = 0;
            continue;
        }
        *widest = halves->first;
        boxes.push_back(halves->second);
    }
    std::vector<Rgb> palette;
    for (const Box& box : boxes) palette.push_back(rounded(box.mean));
    return palette;
}

PaletteDither::PaletteDither(std::vector<Rgb> palette)
    : palette_(std::move(palette)), nearest_(std::size_t{1} << (3 * kNearestBits)) {
    constexpr int kStep = 1 << (8 - kNearestBits);
    for (int red = 0; red < 256; red += kStep)
        for (int green = 0; green < 256; green += kStep)
            for (int blue = 0; blue < 256; blue += kStep)
                nearest_[static_cast<std::size_t>(cell_of(red, green, blue, kNearestBits))] = static_cast<std::uint8_t>(
                    nearest_index(palette_, red + kStep / 2, green + kStep / 2, blue + kStep / 2));
}

void PaletteDither::convert(const Frame& frame, std::uint8_t* indices, int stride) const {
    // The errors of this row and the next one in sixteenths, with a margin of one pixel on either side.
    const std::size_t row_values = 3 * (static_cast<std::size_t>(frame.width) + 2);
    std::vector<int> here(row_values);
    std::vector<int> below(row_values);
    const std::uint8_t* pixel = frame.pixels.data();
    for (int y = 0; y < frame.height; ++y, indices += stride) {
        for (int x = 0; x < frame.width; ++x, pixel += 3) {
            const std::size_t at = 3 * (static_cast<std::size_t>(x) + 1);
            std::array<int, 3> wanted{};
            for (std::size_t c = 0; c < 3; ++c) wanted[c] = std::clamp(pixel[c] + here[at + c] / 16, 0, 255);
            indices[x] = nearest_[static_cast<std::size_t>(cell_of(wanted[0], wanted[1], wanted[2], kNearestBits))];
            for (std::size_t c = 0; c < 3; ++c) {
                const int error = wanted[c] - palette_[indices[x]][c];
                here[at + 3 + c] += 7 * error;
                below[at - 3 + c] += 3 * error;
                below[at + c] += 5 * error;
                below[at + 3 + c] += error;
            }
        }
        here.swap(below);
        std::fill(below.begin(), below.end(), 0);
    }
}

}  // namespace kinescope
