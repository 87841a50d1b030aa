#pragma once

#include <optional>
#include <string_view>

#include "core/device/tensor.h"

namespace kinescope {

/// The dtype that a safetensors header calls "F16", "BF16", "F8_E4M3" ...; nullopt: not one that we can hold.
std::optional<Dtype> dtype_from_safetensors(std::string_view name);

/// The inverse; nullopt for dtypes that safetensors (or we) have no name for.
std::optional<std::string_view> safetensors_name(Dtype dtype);

}  // namespace kinescope
