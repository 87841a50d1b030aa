#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <filesystem>

#include "core/finish/pictures.h"
#include "core/media/image_io.h"
#include "tests/support/golden.h"

namespace kinescope::test {

inline std::filesystem::path finish_data(const std::string& path) {
    return testing::test_data("finish/" + path);
}

/// Peak signal-to-noise ratio with a peak of 1, dB.
inline double psnr_db(const Tensor& a, const Tensor& b) {
    if (a.sizes() != b.sizes()) return 0;
    const double mean = a.to(at::kDouble).sub(b.to(at::kDouble)).square().mean().item<double>();
    return mean == 0 ? 300 : -10 * std::log10(mean);
}

inline Tensor nchw(const Tensor& nhwc) {
    return nhwc.permute({0, 3, 1, 2}).contiguous();
}

inline Tensor nhwc(const Tensor& nchw) {
    return nchw.permute({0, 2, 3, 1}).contiguous();
}

}  // namespace kinescope::test
