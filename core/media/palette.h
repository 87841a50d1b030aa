#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/api/frame.h"

namespace kinescope {

using Rgb = std::array<std::uint8_t, 3>;

/// A histogram of the colors of many frames, in cells of 8 x 8 x 8 values. Takes 1 MiB regardless of the video's
/// length.
class ColorHistogram {
public:
    static constexpr int kBits = 5;
    static constexpr int kNumCells = 1 << (3 * kBits);

    ColorHistogram() : cells_(kNumCells) {}
    void add(const Frame& frame);

    /// Returns at most `max_colors` colors by median cut: repeatedly splits the box with the largest color spread at
    /// its mean (Heckbert 1982, with the variance criterion of Wu 1991). The result is never empty.
    std::vector<Rgb> palette(int max_colors) const;

private:
    struct Cell {
        std::int64_t count = 0;
        std::array<std::int64_t, 3> sums{};  ///< of the exact values
    };
    std::vector<Cell> cells_;
};

/// Maps frames to palette indices with error diffusion (Floyd and Steinberg 1976).
class PaletteDither {
public:
    explicit PaletteDither(std::vector<Rgb> palette);
    const std::vector<Rgb>& palette() const { return palette_; }
    /// Writes width * height palette indices, with rows `stride` bytes apart.
    void convert(const Frame& frame, std::uint8_t* indices, int stride) const;

private:
    std::vector<Rgb> palette_;
    std::vector<std::uint8_t> nearest_;  ///< palette index by cell, with 6 bits per channel
};

}  // namespace kinescope
