#pragma once

#include <algorithm>
#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Whether the kernels for plain float32 memory can read it.
inline bool is_plain(const Tensor& x) {
    return x.is_cpu() && x.scalar_type() == at::kFloat && x.is_contiguous();
}

/// Numbers that a thread gets at least: with fewer a second one costs more than it brings.
inline constexpr std::int64_t kGrainNumbers = 64 * 1024;

/// Rows of that many numbers.
inline std::int64_t rows_at_once(std::int64_t numbers_of_row) {
    return std::max<std::int64_t>(kGrainNumbers / std::max<std::int64_t>(numbers_of_row, 1), 1);
}

}  // namespace kinescope
