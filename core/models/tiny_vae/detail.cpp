#include "core/models/tiny_vae/detail.h"

namespace kinescope::tiny_vae {

int most_enlargements(const Config& config, std::int64_t longest_side) {
    constexpr std::int64_t kLongestSide = 640;
    const auto side = longest_side * config.patch_size;
    int most = kLevels;
    while (most > 1 && (side << most) > kLongestSide) --most;
    return most;
}

double cost(const Config& config, std::int64_t latent_pixels, const Detail& detail) {
    constexpr double kKernel = 9;
    constexpr double kBlocks = 3;
    double pixels = static_cast<double>(latent_pixels);
    double sum = kKernel * pixels * static_cast<double>(config.latent_channels * config.widths[0]);
    for (std::size_t level = 0; level < config.time_factors.size(); ++level) {
        const auto width = static_cast<double>(config.widths[level]);
        const double frames = detail.rate == FrameRate::full ? static_cast<double>(config.time_factors[level]) : 1;
        // Three convolutions a block, the first with twice as many inputs; then the 1x1 convolution over time.
        sum += pixels * width * width * (kBlocks * 4 * kKernel + frames);
        pixels *= frames * (static_cast<int>(level) < detail.enlargements ? 4 : 1);
        sum += kKernel * pixels * width * static_cast<double>(config.widths[level + 1]);
    }
    const auto patch = static_cast<double>(config.patch_size);
    return sum + kKernel * pixels * static_cast<double>(config.widths.back()) * 3 * patch * patch;
}

}  // namespace kinescope::tiny_vae
