#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/api/compute_precision.h"
#include "core/device/tensor.h"

namespace kinescope {

/// PyTorch's spelling: "float32", "bfloat16", "float16", "float8_e4m3fn", ...
std::string dtype_name(Dtype dtype);

/// The same type for core/api, which knows no Torch. Throws Error(internal) for a type that no op computes in.
ElementType element_type(Dtype dtype);

/// The inverse for the floating-point ones; nullopt for anything else.
std::optional<Dtype> parse_dtype(std::string_view name);

/// The command line's spelling: "fp32", "bf16", "fp16". nullopt for "auto" and any other text.
std::optional<Dtype> parse_compute_dtype(std::string_view text);

/// The largest finite value.
double dtype_max(Dtype dtype);

/// If float8 would turn more than this share of a weight's values into zero, the weight keeps a wider dtype (detector
/// S10).
inline constexpr double kFloat8Zero = 0.2;
/// More than this share of values at the largest magnitude indicates a cast without a scale (detector S10).
inline constexpr double kFloat8Saturated = 0.01;

}  // namespace kinescope
