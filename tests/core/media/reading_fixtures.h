#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "core/media/frame_sink.h"

namespace kinescope::test {

inline std::vector<std::uint8_t> bytes_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void put(const std::filesystem::path& file, std::span<const std::uint8_t> bytes) {
    std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
}

inline bool is_near(const Frame& frame, int x, int y, const std::array<int, 3>& color) {
    const std::uint8_t* pixel = frame.pixels.data() + 3 * (y * frame.width + x);
    return std::abs(pixel[0] - color[0]) < 12 && std::abs(pixel[1] - color[1]) < 12 &&
           std::abs(pixel[2] - color[2]) < 12;
}

constexpr std::array kRed = {255, 0, 0};
constexpr std::array kBlue = {0, 0, 255};

}  // namespace kinescope::test
