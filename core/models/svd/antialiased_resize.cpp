#include "core/models/svd/antialiased_resize.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace kinescope::svd {

namespace {

/// Returns the blur weights for resizing an axis from `length` to `side` pixels. Their number is odd and their sum is
/// 1.
Tensor blur_weights(std::int64_t length, std::int64_t side) {
    const double factor = static_cast<double>(length) / static_cast<double>(side);
    const double sigma = std::max((factor - 1.0) / 2.0, 0.001);
    const auto count = static_cast<std::int64_t>(std::max(4.0 * sigma, 3.0)) | 1;
    const auto x = at::arange(count, at::kFloat) - static_cast<double>(count / 2);
    const auto variance = at::scalar_tensor(sigma, at::kFloat).square();
    const auto weights = at::exp(-x.square() / (2.0 * variance));
    return weights / weights.sum();
}

/// Blurs each color channel separately. `weights` is [1, 1, kh, kw], where kh or kw is 1.
Tensor filtered(const Tensor& pixels, const Tensor& weights) {
    const auto rows = weights.size(2) / 2, columns = weights.size(3) / 2;
    const auto padded = at::reflection_pad2d(pixels, {columns, columns, rows, rows});
    return at::conv2d(padded.transpose(0, 1), weights).transpose(0, 1);
}

}  // namespace

Tensor antialiased_resize(const Tensor& pixels, std::int64_t side) {
    const auto across = blur_weights(pixels.size(3), side).view({1, 1, 1, -1});
    const auto down = blur_weights(pixels.size(2), side).view({1, 1, -1, 1});
    const auto blurred = filtered(filtered(pixels, across), down);
    return at::upsample_bicubic2d(blurred.contiguous(), {side, side},
                                  /*align_corners=*/true);
}

}  // namespace kinescope::svd
