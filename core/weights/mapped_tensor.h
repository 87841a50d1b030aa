#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/mapped_file.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Where the numbers of a tensor lie in a file.
struct TensorPlace {
    std::size_t offset = 0;  ///< in bytes, from the start of the file
    std::vector<std::int64_t> shape;
    Dtype dtype = at::kFloat;
    std::vector<std::int64_t> strides = {};  ///< in numbers, not negative; empty: contiguous
};

/// A tensor over the file, which lives as long as the tensor; one that is not aligned for its dtype is a copy. The
/// place must have been checked to lie inside the file.
Tensor map_tensor(const std::shared_ptr<const MappedFile>& file, const TensorPlace& place);

/// Bytes of a contiguous tensor; nullopt: more than an int64 counts. Zeros count as one in that check: strides are
/// computed that way, and they must not overflow either.
std::optional<std::uint64_t> checked_bytes(const std::vector<std::int64_t>& shape, Dtype dtype);

}  // namespace kinescope
