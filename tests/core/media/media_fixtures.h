#pragma once

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/media/frame_sink.h"
#include "tests/support/file_bytes.h"
#include "tests/support/thrown_error.h"

namespace kinescope::test {

using testing::contents_of;
using testing::thrown_by;

constexpr int kWidth = 96;
constexpr int kHeight = 64;
constexpr int kFps = 16;
constexpr int kNumFrames = 17;

/// Returns a smooth gradient with a soft-edged bright square that moves to the right.
inline Frame moving_square(int index, int width = kWidth, int height = kHeight) {
    Frame frame{width, height, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width * height))};
    const double left = 6.0 + 3.0 * index;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double inside_x = std::clamp((12.0 - std::abs(x - left - 12.0)) / 4.0, 0.0, 1.0);
            const double inside_y = std::clamp((12.0 - std::abs(y - 0.5 * height)) / 4.0, 0.0, 1.0);
            const double square = inside_x * inside_y;
            const double background[3] = {40.0 + 100.0 * x / width, 60.0 + 80.0 * y / height, 150.0 - 60.0 * x / width};
            const double color[3] = {230, 180, 60};
            for (int channel = 0; channel < 3; ++channel)
                frame.pixels[static_cast<std::size_t>(3 * (y * width + x) + channel)] = static_cast<std::uint8_t>(
                    std::lround(background[channel] + square * (color[channel] - background[channel])));
        }
    }
    return frame;
}

inline Frame plain_frame(int width, int height, std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
    Frame frame{width, height, {}};
    for (int i = 0; i < width * height; ++i) frame.pixels.insert(frame.pixels.end(), {red, green, blue});
    return frame;
}

/// Returns the peak signal-to-noise ratio over all channels in dB.
inline double psnr(const Frame& a, const Frame& b) {
    if (a.pixels.size() != b.pixels.size() || a.width != b.width) return 0;
    double squares = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) squares += std::pow(double(a.pixels[i]) - double(b.pixels[i]), 2);
    return squares == 0 ? 200 : 10 * std::log10(255.0 * 255.0 * static_cast<double>(a.pixels.size()) / squares);
}

/// A temporary folder for one test.
class Folder {
public:
    std::filesystem::path operator/(const std::string& name) const { return path() / name; }
    std::filesystem::path path() const { return directory_.path().toStdString(); }
    /// Returns the names of all entries in the folder, including hidden ones.
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path())) names.push_back(entry.path().filename());
        return names;
    }

private:
    QTemporaryDir directory_;
};

inline SinkOptions options_for(const std::filesystem::path& file) {
    SinkOptions options;
    options.output.file = file;
    options.width = kWidth;
    options.height = kHeight;
    options.fps = kFps;
    return options;
}

inline std::filesystem::path write_video(const SinkOptions& options, int num_frames = kNumFrames) {
    const std::unique_ptr<FrameSink> sink = open_frame_sink(options);
    for (int i = 0; i < num_frames; ++i) sink->write(moving_square(i, options.width, options.height));
    return sink->finish();
}

/// Cuts an MP4 file off before the end of its first frame. Its header stays complete.
inline void cut_before_frames(const std::filesystem::path& file) {
    const std::string bytes = contents_of(file);
    constexpr std::size_t kBytesOfFirstFrame = 10;
    std::filesystem::resize_file(file, bytes.find("mdat") + 4 + kBytesOfFirstFrame);
}

/// Returns 20 kB of JSON with characters of one to four bytes.
inline std::string long_comment() {
    std::string comment = "{\"prompt\": \"";
    while (comment.size() < 20'000) comment += "a red ball – ein Würfel, 青い四角 🎬 ";
    return comment + "\", \"seed\": 42}";
}

}  // namespace kinescope::test
