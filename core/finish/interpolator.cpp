#include "core/finish/interpolator.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/round_up.h"

namespace kinescope {
namespace {

constexpr std::int64_t kLongestAtFullScale = 2048;

}  // namespace

LoadedInterpolator load_interpolator(const std::filesystem::path& file, const Precision& precision) {
    const auto weights = open_checkpoint(file);
    const NetworkLayout layout = recognize_network(*weights, NetworkUse::interpolate);
    const auto& rife = std::get<RifeLayout>(layout);
    WeightStore store(weights);
    const WeightScope scope(store, rife.prefix.empty() ? "" : rife.prefix.substr(0, rife.prefix.size() - 1));
    LoadedInterpolator loaded{.network = std::make_shared<RifeNetwork>(scope, rife, precision), .layout = layout};
    // Weights that only training needs.
    store.finish({rife.prefix + "teacher", rife.prefix + "caltime"});
    return loaded;
}

double rife_scale_factor(std::int64_t width, std::int64_t height) {
    return std::max(width, height) > kLongestAtFullScale ? 0.5 : 1.0;
}

void Interpolator::push(const Tensor& frame) {
    height_ = frame.size(2);
    width_ = frame.size(3);
    scale_factor_ = rife_scale_factor(width_, height_);
    const int multiple = network_->multiple(scale_factor_);
    const Tensor filled = at::constant_pad_nd(
        frame.to(device_), {0, round_up(width_, multiple) - width_, 0, round_up(height_, multiple) - height_});
    first_ = std::move(second_);
    second_ = network_->encode(filled);
}

Tensor Interpolator::at(double time, const AfterBlock& after_block) const {
    const Tensor frame = network_->between(first_, second_, time, scale_factor_, after_block);
    return frame.slice(2, 0, height_).slice(3, 0, width_);
}

}  // namespace kinescope
