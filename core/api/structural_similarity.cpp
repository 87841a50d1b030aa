#include "core/api/structural_similarity.h"

#include <algorithm>
#include <vector>

namespace kinescope {

namespace {

constexpr int kWindow = 8;
constexpr int kStride = 4;
constexpr double kC1 = 0.01 * 0.01;  // constants of the paper, for values from 0 to 1
constexpr double kC2 = 0.03 * 0.03;

std::vector<float> brightness(const Frame& frame) {
    std::vector<float> values(frame.pixels.size() / 3);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto* rgb = frame.pixels.data() + 3 * i;
        values[i] = (0.2126F * rgb[0] + 0.7152F * rgb[1] + 0.0722F * rgb[2]) / 255.0F;
    }
    return values;
}

/// Returns the offsets of the windows along a side.
std::vector<int> starts(int side) {
    std::vector<int> places{0};
    for (int place = kStride; place + kWindow <= side; place += kStride) places.push_back(place);
    return places;
}

struct Window {
    int x = 0;
    int y = 0;
    int width = kWindow;
    int height = kWindow;
};

double similarity(const std::vector<float>& a, const std::vector<float>& b, int row_length, const Window& window) {
    double sum_a = 0;
    double sum_b = 0;
    double squares = 0;
    double products = 0;
    for (int y = window.y; y < window.y + window.height; ++y) {
        for (int x = window.x; x < window.x + window.width; ++x) {
            const auto at =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(row_length) + static_cast<std::size_t>(x);
            sum_a += a[at];
            sum_b += b[at];
            squares += double{a[at]} * a[at] + double{b[at]} * b[at];
            products += double{a[at]} * b[at];
        }
    }
    const double count = static_cast<double>(window.width) * window.height;
    const double mean_a = sum_a / count;
    const double mean_b = sum_b / count;
    const double variances = squares / count - mean_a * mean_a - mean_b * mean_b;
    const double covariance = products / count - mean_a * mean_b;
    return (2 * mean_a * mean_b + kC1) * (2 * covariance + kC2) /
           ((mean_a * mean_a + mean_b * mean_b + kC1) * (variances + kC2));
}

}  // namespace

double structural_similarity(const Frame& a, const Frame& b) {
    const std::vector<float> left = brightness(a);
    const std::vector<float> right = brightness(b);
    double sum = 0;
    int windows = 0;
    for (const int y : starts(a.height)) {
        for (const int x : starts(a.width)) {
            const Window window{x, y, std::min(kWindow, a.width), std::min(kWindow, a.height)};
            sum += similarity(left, right, a.width, window);
            ++windows;
        }
    }
    return sum / windows;
}

}  // namespace kinescope
