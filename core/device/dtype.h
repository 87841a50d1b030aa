#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/api/compute_precision.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Returns the name as PyTorch spells it: "float32", "bfloat16", "float16", "float8_e4m3fn", ...
std::string dtype_name(Dtype dtype);

/// Converts to the type of core/api, which does not depend on Torch. Throws Error(internal) for a dtype in which no op
/// computes.
ElementType element_type(Dtype dtype);

/// Returns the floating-point dtype with this dtype_name; nullopt for any other text.
std::optional<Dtype> parse_dtype(std::string_view name);

/// Parses the command line's spelling: "fp32", "bf16", "fp16". Returns nullopt for "auto" and any other text.
std::optional<Dtype> parse_compute_dtype(std::string_view text);

/// The largest finite value.
double dtype_max(Dtype dtype);

/// If float8 would turn more than this share of a weight's values into zero, the weight keeps a wider dtype (detector
/// S10).
inline constexpr double kFloat8Zero = 0.2;
/// More than this share of values at the largest magnitude indicates a cast without a scale (detector S10).
inline constexpr double kFloat8Saturated = 0.01;

}  // namespace kinescope
