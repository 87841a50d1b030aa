#pragma once

#include "core/api/engine.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Largest error of a component's output, relative to the reference's largest value: what rounding in float32 explains.
inline constexpr double kComponentTolerance = 3e-5;
inline constexpr double kFramesPsnrDb = 100.0;

/// One row of a verify report. A shape that differs is an error of infinity.
VerifyRow compare_tensor(const std::string& component, const std::string& name, const Tensor& actual,
                         const Tensor& expected);
/// By peak signal-to-noise ratio, peak 1.
VerifyRow compare_frames(const Tensor& actual, const Tensor& expected);

}  // namespace kinescope
