#include "core/models/pil_resize.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace kinescope {

namespace {

/// Number of fraction bits of a weight. Of 32 bits, a pixel takes 8, and 2 are headroom for weights whose absolute
/// values sum to more than 1.
constexpr int kFractionBits = 32 - 8 - 2;
constexpr std::int64_t kChannels = 3;

double sinc(double x) {
    return x == 0.0 ? 1.0 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

double lanczos(double x) {
    return -3.0 <= x && x < 3.0 ? sinc(x) * sinc(x / 3.0) : 0.0;
}

double bicubic(double x) {
    constexpr double a = -0.5;
    x = std::abs(x);
    if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
    if (x < 2.0) return (((x - 5.0) * x + 8.0) * x - 4.0) * a;
    return 0.0;
}

/// The source pixels of one result pixel, with their weights.
struct Taps {
    std::int64_t first = 0;
    std::vector<std::int32_t> weights;  ///< in units of 2^-kFractionBits
};

Taps to_fixed_point(std::int64_t first, const std::vector<double>& weights) {
    double sum = 0.0;
    for (const double weight : weights) sum += weight;
    Taps taps{.first = first, .weights = {}};
    for (const double weight : weights) {
        const double scaled = (sum == 0.0 ? weight : weight / sum) * (1 << kFractionBits);
        taps.weights.push_back(static_cast<std::int32_t>(scaled + (scaled < 0 ? -0.5 : 0.5)));
    }
    return taps;
}

std::vector<Taps> all_taps(std::int64_t in, std::int64_t out, PilFilter filter) {
    const double scale = static_cast<double>(in) / static_cast<double>(out);
    const double stretch = std::max(scale, 1.0);
    const double support = (filter == PilFilter::lanczos ? 3.0 : 2.0) * stretch;
    std::vector<Taps> result;
    for (std::int64_t i = 0; i < out; ++i) {
        const double center = (static_cast<double>(i) + 0.5) * scale;
        const auto first = std::max<std::int64_t>(static_cast<std::int64_t>(center - support + 0.5), 0);
        const auto last = std::min(static_cast<std::int64_t>(center + support + 0.5), in);
        std::vector<double> weights;
        for (auto x = first; x < last; ++x) {
            const double distance = (static_cast<double>(x) - center + 0.5) / stretch;
            weights.push_back(filter == PilFilter::lanczos ? lanczos(distance) : bicubic(distance));
        }
        result.push_back(to_fixed_point(first, weights));
    }
    return result;
}

/// Computes one channel of one pixel. `source` is the first source value; the others follow at intervals of `stride`
/// bytes.
std::uint8_t weighted(const std::uint8_t* source, std::int64_t stride, const std::vector<std::int32_t>& weights) {
    std::int32_t sum = 1 << (kFractionBits - 1);
    for (const std::int32_t weight : weights) {
        sum += weight * *source;
        source += stride;
    }
    return static_cast<std::uint8_t>(std::clamp(sum >> kFractionBits, 0, 255));
}

Tensor resize_columns(const Tensor& image, std::int64_t width, PilFilter filter) {
    const auto in = image.size(1);
    if (in == width) return image;
    const auto taps = all_taps(in, width, filter);
    const auto result = at::empty({image.size(0), width, kChannels}, at::kByte);
    const auto* source = image.const_data_ptr<std::uint8_t>();
    auto* target = result.data_ptr<std::uint8_t>();
    for (std::int64_t y = 0; y < image.size(0); ++y, source += in * kChannels)
        for (const Taps& tap : taps)
            for (std::int64_t c = 0; c < kChannels; ++c)
                *target++ = weighted(source + tap.first * kChannels + c, kChannels, tap.weights);
    return result;
}

Tensor resize_rows(const Tensor& image, std::int64_t height, PilFilter filter) {
    if (image.size(0) == height) return image;
    const auto row = image.size(1) * kChannels;  // bytes
    const auto result = at::empty({height, image.size(1), kChannels}, at::kByte);
    const auto* source = image.const_data_ptr<std::uint8_t>();
    auto* target = result.data_ptr<std::uint8_t>();
    for (const Taps& tap : all_taps(image.size(0), height, filter))
        for (std::int64_t x = 0; x < row; ++x) *target++ = weighted(source + tap.first * row + x, row, tap.weights);
    return result;
}

/// Returns true if Pillow 13 filters the rows first, because the order of the passes affects rounding. It does so if
/// this saves more than twice as much work as filtering the columns first (found by trying both orders on random
/// sizes). Older versions always filter the columns first.
bool begins_with_rows(const Tensor& image, std::int64_t height, std::int64_t width) {
    const auto rows_saved = image.size(0) - height;
    const auto columns_saved = image.size(1) - width;
    return rows_saved > 0 && rows_saved > 2 * columns_saved;
}

}  // namespace

Tensor pil_resize(const Tensor& image, std::int64_t height, std::int64_t width, PilFilter filter) {
    const auto pixels = image.contiguous();
    if (begins_with_rows(image, height, width))
        return resize_columns(resize_rows(pixels, height, filter), width, filter);
    return resize_rows(resize_columns(pixels, width, filter), height, filter);
}

}  // namespace kinescope
