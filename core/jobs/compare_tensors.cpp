#include "core/jobs/compare_tensors.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace kinescope {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool comparable(const Tensor& actual, const Tensor& expected) {
    return actual.defined() && actual.sizes() == expected.sizes();
}

}  // namespace

VerifyRow compare_tensor(const std::string& component, const std::string& name, const Tensor& actual,
                         const Tensor& expected) {
    VerifyRow row{.component = component,
                  .tensor = name,
                  .max_abs_error = kInfinity,
                  .relative_error = kInfinity,
                  .tolerance = kComponentTolerance};
    if (!at::isFloatingType(expected.scalar_type())) row.tolerance = 0;  // ids and masks are equal or wrong
    if (comparable(actual, expected)) {
        const Tensor reference = expected.to(at::kDouble);
        row.max_abs_error = (actual.to(at::kCPU, at::kDouble) - reference).abs().max().item<double>();
        const double largest = reference.abs().max().item<double>();
        row.relative_error = largest > 0 ? row.max_abs_error / largest : row.max_abs_error;
    }
    // Written so that NaN fails.
    row.passed = row.relative_error <= row.tolerance;
    return row;
}

VerifyRow compare_frames(const Tensor& actual, const Tensor& expected) {
    VerifyRow row{.component = "pipeline",
                  .tensor = "frames",
                  .max_abs_error = kInfinity,
                  .relative_error = kInfinity,
                  .tolerance = kFramesPsnrDb};
    if (comparable(actual, expected)) {
        const Tensor difference = actual.to(at::kDouble) - expected.to(at::kDouble);
        row.max_abs_error = row.relative_error = difference.abs().max().item<double>();
        const double mean_square = difference.square().mean().item<double>();
        row.psnr_db = mean_square > 0 ? -10 * std::log10(mean_square) : kInfinity;
    }
    row.passed = row.psnr_db >= row.tolerance;
    return row;
}

}  // namespace kinescope
