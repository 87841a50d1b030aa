#pragma once

#include "core/api/engine.h"
#include "core/device/precision.h"

namespace kinescope {

/// Largest error of a component's output, relative to the reference's largest value: what rounding in float32 explains.
inline constexpr double kComponentTolerance = 3e-5;
inline constexpr double kFramesPsnrDb = 100.0;

/// What a device and a dtype may differ from the reference, which is float32 on a CPU.
struct VerifyTolerance {
    double relative = kComponentTolerance;
    double frames_psnr_db = kFramesPsnrDb;
};
VerifyTolerance verify_tolerance(const Precision& precision);

/// Judges a row anew by a tolerance; ids and masks stay equal or wrong.
void judge(VerifyRow& row, const VerifyTolerance& tolerance);

/// One row of a verify report. A shape that differs is an error of infinity.
VerifyRow compare_tensor(const std::string& component, const std::string& name, const Tensor& actual,
                         const Tensor& expected);
/// By peak signal-to-noise ratio, peak 1.
VerifyRow compare_frames(const Tensor& actual, const Tensor& expected);

}  // namespace kinescope
