#pragma once

#include <cstdint>

#include "core/device/tensor.h"

/// Matrix products with few rows, such as the modulation of a timestep. Their cost is dominated by reading the weight,
/// which happens once per four rows.
namespace kinescope::few_rows_product {

/// The operands of y = x W^T + offset in row-major memory. Strides are in elements.
template <class T>
struct Product {
    const float* x = nullptr;
    std::int64_t x_stride = 0;
    std::int64_t rows = 0;
    std::int64_t depth = 0;
    const T* weight = nullptr;
    std::int64_t weight_stride = 0;
    const float* offset = nullptr;  ///< one per column; null for zeros
    float* y = nullptr;
    std::int64_t y_stride = 0;
};

/// Computes the columns `begin` to `end` (exclusive) of y. Each column uses one row of the weight, which is widened to
/// float32 in registers.
void multiply(const Product<float>& product, std::int64_t begin, std::int64_t end);
void multiply(const Product<at::BFloat16>& product, std::int64_t begin, std::int64_t end);
void multiply(const Product<at::Half>& product, std::int64_t begin, std::int64_t end);

}  // namespace kinescope::few_rows_product
