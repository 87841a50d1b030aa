#pragma once

#include <optional>
#include <string_view>

#include "core/device/tensor.h"

namespace kinescope {

/// What a checkpoint may name. Everything else is refused.
enum class PickleFunction { ordered_dict, rebuild_tensor_v2, rebuild_tensor_v3, rebuild_parameter };

std::optional<PickleFunction> pickle_function(std::string_view name);
/// "torch.FloatStorage" -> float32 ...; an untyped storage counts bytes.
std::optional<Dtype> pickle_storage(std::string_view name);
/// "torch.float8_e4m3fn" ...
std::optional<Dtype> pickle_dtype(std::string_view name);

}  // namespace kinescope
