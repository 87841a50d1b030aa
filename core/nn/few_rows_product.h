#pragma once

#include <cstdint>

#include "core/device/tensor.h"

/// Products of a few rows, as those of a timestep's modulation: reading the weight, once for four rows, is most of what
/// they cost.
namespace kinescope::few_rows_product {

/// y = x W^T + offset, of plain memory; strides in numbers from one row to the next.
template <class T>
struct Product {
    const float* x = nullptr;
    std::int64_t x_stride = 0;
    std::int64_t rows = 0;
    std::int64_t depth = 0;
    const T* weight = nullptr;
    std::int64_t weight_stride = 0;
    const float* offset = nullptr;  ///< one for each column; none: zeros
    float* y = nullptr;
    std::int64_t y_stride = 0;
};

/// Columns from `begin` to `end` of y, each a row of the weight, which is widened on its way into registers. Only where
/// strip_product::is_wide().
void multiply(const Product<float>& product, std::int64_t begin, std::int64_t end);
void multiply(const Product<at::BFloat16>& product, std::int64_t begin, std::int64_t end);
void multiply(const Product<at::Half>& product, std::int64_t begin, std::int64_t end);

}  // namespace kinescope::few_rows_product
