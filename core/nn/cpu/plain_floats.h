#pragma once

#include <algorithm>
#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Returns true if the tensor is contiguous float32 memory on the CPU, as the kernels require.
inline bool is_plain(const Tensor& x) {
    return x.is_cpu() && x.scalar_type() == at::kFloat && x.is_contiguous();
}

/// Minimum number of elements per thread. For fewer elements, an additional thread costs more than it saves.
inline constexpr std::int64_t kGrainNumbers = 64 * 1024;

/// Returns the minimum number of rows per thread, for rows of `numbers_of_row` elements (see kGrainNumbers).
inline std::int64_t rows_at_once(std::int64_t numbers_of_row) {
    return std::max<std::int64_t>(kGrainNumbers / std::max<std::int64_t>(numbers_of_row, 1), 1);
}

}  // namespace kinescope
