#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/mapped_file.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Position and layout of a tensor in a file.
struct TensorPlace {
    std::size_t offset = 0;  ///< in bytes from the start of the file
    std::vector<std::int64_t> shape;
    Dtype dtype = at::kFloat;
    std::vector<std::int64_t> strides = {};  ///< in elements, not negative; empty for a contiguous tensor
};

/// Returns a tensor over the mapped file, which it keeps alive. Copies the data only if it is not aligned for its
/// dtype. The caller must have checked that `place` lies inside the file.
Tensor map_tensor(const std::shared_ptr<const MappedFile>& file, const TensorPlace& place);

/// Returns the size of a contiguous tensor in bytes, or nullopt if it exceeds int64. Dimensions of 0 count as 1,
/// because strides are computed that way and must not overflow either.
std::optional<std::uint64_t> checked_bytes(const std::vector<std::int64_t>& shape, Dtype dtype);

}  // namespace kinescope
