#pragma once

#include "core/device/device_capability.h"
#include "core/device/tensor.h"

namespace kinescope {

/// How a device computes in a dtype.
enum class DtypeSupport {
    none,      ///< not at all, or not in every op that a model needs
    emulated,  ///< every op works, none of them fast, or with known faults
    native,
};

/// Pure, from compute capability, macOS version and CPU instructions: the libraries' own "is supported" answers count
/// emulation as support (pytorch #124996). float32, bfloat16, float16, float8_e4m3fn, and int8 as Linear
/// layers on a CPU take it.
DtypeSupport compute_support(const DeviceCapability& device, Dtype dtype);

/// Whether tensors of a dtype can lie on the device and be cast there.
bool can_store(const DeviceCapability& device, Dtype dtype);

/// A Turing card without tensor cores (TU116, TU117: GTX 16 and its relatives), whose float16 makes NaN (diffusers
/// #6815). They share compute capability 7.5 with the RTX 20, so that only the name tells.
bool is_turing_without_tensor_cores(const DeviceCapability& device);

}  // namespace kinescope
