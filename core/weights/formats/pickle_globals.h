#pragma once

#include <optional>
#include <string_view>

#include "core/device/tensor.h"

namespace kinescope {

/// The functions that a checkpoint may call. All others are rejected.
enum class PickleFunction { ordered_dict, rebuild_tensor_v2, rebuild_tensor_v3, rebuild_parameter };

std::optional<PickleFunction> pickle_function(std::string_view name);
/// Returns the dtype of a storage class: float32 for "torch.FloatStorage". Untyped storages have the dtype uint8.
std::optional<Dtype> pickle_storage(std::string_view name);
/// Returns the dtype with a name such as "torch.float8_e4m3fn".
std::optional<Dtype> pickle_dtype(std::string_view name);

}  // namespace kinescope
