#pragma once

#include <cstddef>
#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Allocates bytes that a kernel fills. The address is a multiple of 64.
Tensor allocate_bytes(std::int64_t count);

std::byte* bytes_of(const Tensor& memory);

}  // namespace kinescope
