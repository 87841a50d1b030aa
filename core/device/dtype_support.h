#pragma once

#include "core/device/device_capability.h"
#include "core/device/tensor.h"

namespace kinescope {

/// The support of a device for computing in a dtype.
enum class DtypeSupport {
    none,      ///< not supported, or not by every op that a model needs
    emulated,  ///< supported by every op, but slow or with known faults
    native,
};

/// Returns the support for products in `dtype`: float32, bfloat16, float16, float8_e4m3fn, or int8 for Linear layers on
/// a CPU. Decides by compute capability, macOS version and CPU instructions, because the libraries' own queries count
/// emulation as support (pytorch #124996). Pure.
DtypeSupport compute_support(const DeviceCapability& device, Dtype dtype);

/// Returns true if the device can store tensors of a dtype and cast them.
bool can_store(const DeviceCapability& device, Dtype dtype);

/// Returns true for Turing GPUs without tensor cores (TU116, TU117: GTX 16 and related), which produce NaN in float16
/// (diffusers #6815). They share compute capability 7.5 with the RTX 20, so only the name identifies them.
bool is_turing_without_tensor_cores(const DeviceCapability& device);

}  // namespace kinescope
