#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/device/tensor.h"

namespace kinescope {

/// As PyTorch spells it: "float32", "bfloat16", "float16", "float8_e4m3fn" ...
std::string dtype_name(Dtype dtype);

/// The inverse for the floating-point ones; nullopt for anything else.
std::optional<Dtype> parse_dtype(std::string_view name);

/// The command line's spelling: "fp32", "bf16", "fp16". nullopt for "auto" and anything else.
std::optional<Dtype> parse_compute_dtype(std::string_view text);

/// The largest finite value.
double dtype_max(Dtype dtype);

/// Beyond this share of values that float8 would make zero, a weight stays wider (S10).
inline constexpr double kFloat8Zero = 0.2;
/// A larger share of values at the largest magnitude is a cast that was made without a scale (S10).
inline constexpr double kFloat8Saturated = 0.01;

}  // namespace kinescope
