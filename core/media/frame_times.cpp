#include "core/media/frame_times.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kinescope {
namespace {

constexpr double kSameRate = 0.001;
constexpr double kRounding = 0.0011;  ///< s, of a difference of times
constexpr int kTelevisionDivisor = 1001;
constexpr int kFineDivisor = 1000;
constexpr double kFastestDeclared = 1000;
/// A grid of at most this many times the frames is worth keeping.
constexpr double kFinestGrid = 3;
constexpr double kFastestGrid = 60;

bool is_near(double a, double b) {
    return std::abs(a - b) <= kSameRate * b;
}

/// Returns true if a declared rate gives the frames the same length, without a drift of more than one frame. Times may
/// be rounded to milliseconds.
bool agrees(double rate, double span, std::size_t num_frames) {
    const auto steps = static_cast<double>(num_frames - 1);
    if (!(rate > 0)) return false;
    const bool is_close = std::abs(rate * span / steps - 1) < 0.02 && std::abs(rate * span - steps) <= 1;
    return is_close || std::abs(span - steps / rate) <= kRounding;
}

bool is_even(const std::vector<double>& sorted, double step) {
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const double expected = sorted.front() + step * static_cast<double>(i);
        if (std::abs(sorted[i] - expected) > step / 2) return false;
    }
    return true;
}

}  // namespace

FrameRate frame_rate_of(double fps) {
    if (!(fps > 0) || fps > kFastestDeclared) return {};
    const double whole = std::round(fps);
    // 23.976 is within 0.1 % of 24, so the nearer of the two counts.
    const auto television = static_cast<int>(std::lround(fps * kTelevisionDivisor / 1000) * 1000);
    const double of_television = static_cast<double>(television) / kTelevisionDivisor;
    const bool is_television = std::abs(of_television - fps) < std::abs(whole - fps);
    if (is_television && is_near(fps, of_television)) return {television, kTelevisionDivisor};
    if (whole >= 1 && is_near(fps, whole)) return {static_cast<int>(whole), 1};
    return {std::max(1, static_cast<int>(std::lround(fps * kFineDivisor))), kFineDivisor};
}

FrameTimes frame_times(std::vector<double> seconds, const DeclaredRates& declared) {
    std::erase_if(seconds, [](double time) { return !std::isfinite(time); });
    std::sort(seconds.begin(), seconds.end());
    const double span = seconds.size() < 2 ? 0 : seconds.back() - seconds.front();
    if (!(span > 0)) return {.rate = frame_rate_of(declared.mean), .timing = FrameTiming::constant};
    const double step = span / static_cast<double>(seconds.size() - 1);
    const FrameTiming timing = is_even(seconds, step) ? FrameTiming::constant : FrameTiming::variable;
    // The times of some containers are rounded to milliseconds, so the declared rate is more precise.
    const double mean = agrees(declared.mean, span, seconds.size()) ? declared.mean : 1 / step;
    const bool has_grid = declared.grid >= mean && declared.grid <= std::min(kFinestGrid * mean, kFastestGrid);
    return {.rate = frame_rate_of(timing == FrameTiming::variable && has_grid ? declared.grid : mean),
            .timing = timing,
            .span = span};
}

FrameRate even_rate(const VideoInfo& video) {
    if (video.timing == FrameTiming::constant || !(video.span > 0) || video.num_frames < 2) return video.rate;
    const double fps = (video.num_frames - 1) / video.span;
    if (fps > kFastestDeclared) return {};  // its times are damaged
    return {static_cast<int>(std::lround(kFineDivisor * fps)), kFineDivisor};
}

}  // namespace kinescope
