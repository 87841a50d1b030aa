#pragma once

#include "core/api/engine.h"
#include "core/device/precision.h"

namespace kinescope {

/// Tolerances for rounding in float32: the largest error of a component's output, relative to the reference's largest
/// value, and the smallest PSNR of frames.
inline constexpr double kComponentTolerance = 3e-5;
inline constexpr double kFramesPsnrDb = 100.0;

/// The tolerances for a device and dtype. The reference is float32 on a CPU.
struct VerifyTolerance {
    double relative = kComponentTolerance;
    double frames_psnr_db = kFramesPsnrDb;
};
VerifyTolerance verify_tolerance(const Precision& precision);

/// Applies a tolerance to a row. A row that already has tolerance 0 keeps it, because ids and masks must be equal.
void judge(VerifyRow& row, const VerifyTolerance& tolerance);

/// Compares a tensor with its reference. If the shapes differ, the error is infinite.
VerifyRow compare_tensor(const std::string& component, const std::string& name, const Tensor& actual,
                         const Tensor& expected);
/// Compares frames in [0, 1] by their PSNR. It is NaN, which never passes, if a value is NaN.
VerifyRow compare_frames(const Tensor& actual, const Tensor& expected);

}  // namespace kinescope
