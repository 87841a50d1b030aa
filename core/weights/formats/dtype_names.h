#pragma once

#include <optional>
#include <string_view>

#include "core/device/tensor.h"

namespace kinescope {

/// Returns the dtype for a safetensors name ("F16", "BF16", "F8_E4M3" ...), or nullopt if LibTorch has no such dtype.
std::optional<Dtype> dtype_from_safetensors(std::string_view name);

/// Returns the safetensors name of a dtype, or nullopt if safetensors has no name for it.
std::optional<std::string_view> safetensors_name(Dtype dtype);

}  // namespace kinescope
