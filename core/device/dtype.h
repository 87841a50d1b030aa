#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/api/dtype_choice.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Returns the name in PyTorch's spelling: "float32", "bfloat16", "float16", "float8_e4m3fn" ...
std::string dtype_name(Dtype dtype);

/// Converts to the type of core/api, which does not depend on Torch. Throws Error(internal) for a dtype in which no op
/// computes.
ElementType element_type(Dtype dtype);

/// Returns the floating-point dtype with this dtype_name, or nullopt for any other text.
std::optional<Dtype> parse_dtype(std::string_view name);

/// Returns the dtype that the choice names; nullopt for DtypeChoice::automatic and DtypeChoice::gguf.
std::optional<Dtype> dtype_of(DtypeChoice choice);

/// Returns the largest finite value of a dtype.
double dtype_max(Dtype dtype);

/// Maximum share of a weight's values that may become zero in float8. Above this share, the weight keeps a wider dtype
/// (detector S10).
inline constexpr double kFloat8Zero = 0.2;
/// Maximum share of values at the largest magnitude. A larger share indicates a cast without a scale (detector S10).
inline constexpr double kFloat8Saturated = 0.01;

}  // namespace kinescope
