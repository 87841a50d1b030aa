#pragma once

#include "core/device/precision.h"

namespace kinescope {

/// A stored tensor as a layer keeps it: on the device, in Precision::storage. On the CPU and in the stored dtype
/// nothing is copied: it stays a view of the mapped file. An undefined tensor (a missing key, reported later) stays
/// undefined.
Tensor to_storage(const Tensor& stored, const Precision& precision);

/// As above for what is float32 in every policy: norms, gates, tables.
Tensor to_float32(const Tensor& stored, const Precision& precision);

/// The same with another compute dtype: for layers that stay float32 whatever the policy says.
Precision float32_compute(Precision precision);

}  // namespace kinescope
