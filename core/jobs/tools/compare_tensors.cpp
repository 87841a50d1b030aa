#include "core/jobs/tools/compare_tensors.h"

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

VerifyTolerance verify_tolerance(const Precision& precision) {
    if (precision.compute == at::kBFloat16) return {.relative = 0.1, .frames_psnr_db = 35};
    if (precision.compute == at::kHalf) return {.relative = 0.02, .frames_psnr_db = 50};
    if (!precision.device.is_cpu()) return {.relative = 1e-3, .frames_psnr_db = 60};
    return {};
}

void judge(VerifyRow& row, const VerifyTolerance& tolerance) {
    const bool is_frames = row.tensor == "frames";
    if (row.tolerance > 0) row.tolerance = is_frames ? tolerance.frames_psnr_db : tolerance.relative;
    row.passed = is_frames ? row.psnr_db >= row.tolerance : row.relative_error <= row.tolerance;  // NaN fails
}

VerifyRow compare_tensor(const std::string& component, const std::string& name, const Tensor& actual,
                         const Tensor& expected) {
    VerifyRow row{.component = component,
                  .tensor = name,
                  .max_abs_error = kInfinity,
                  .relative_error = kInfinity,
                  .tolerance = kComponentTolerance};
    if (!at::isFloatingType(expected.scalar_type())) row.tolerance = 0;  // ids and masks must be equal
    if (comparable(actual, expected)) {
        const Tensor reference = expected.to(at::kDouble);
        row.max_abs_error = (actual.to(at::kCPU, at::kDouble) - reference).abs().max().item<double>();
        const double largest = reference.abs().max().item<double>();
        row.relative_error = largest > 0 ? row.max_abs_error / largest : row.max_abs_error;
    }
    // `passed` is false if the error is NaN.
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
        row.psnr_db = mean_square == 0 ? kInfinity : -10 * std::log10(mean_square);
    }
    row.passed = row.psnr_db >= row.tolerance;  // NaN fails
    return row;
}

}  // namespace kinescope
