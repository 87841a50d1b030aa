#include "core/nn/few_rows_product.h"

#include <algorithm>

#include "core/nn/wide_lanes.h"

namespace kinescope::few_rows_product {

#if defined(__x86_64__) && defined(__GNUC__)

namespace {

/// Rows of the weight and of x that are in registers together.
constexpr std::int64_t kColumns = 4, kRows = 4;

/// A part of y, `rows` of them there, columns from `column` on. What is beyond the last row or column is worked out
/// from the first one, and left.
template <class T>
KINESCOPE_WIDE void multiply_tile(const Product<T>& of, std::int64_t row, std::int64_t column, std::int64_t columns) {
    const auto rows = std::min(kRows, of.rows - row);
    const float* x[kRows];
    const T* weight[kColumns];
    for (std::int64_t r = 0; r < kRows; ++r) x[r] = of.x + (row + (r < rows ? r : 0)) * of.x_stride;
    for (std::int64_t c = 0; c < kColumns; ++c)
        weight[c] = of.weight + (column + (c < columns ? c : 0)) * of.weight_stride;
    FloatLanes sum[kRows][kColumns] = {};
    for (std::int64_t k = 0; k < of.depth; k += kLanes) {
        FloatLanes a[kRows], b;
#pragma GCC unroll 4
        for (std::int64_t r = 0; r < kRows; ++r) load_wide(a[r], x[r] + k, of.depth - k);
#pragma GCC unroll 4
        for (std::int64_t c = 0; c < kColumns; ++c) {
            load_wide(b, weight[c] + k, of.depth - k);
#pragma GCC unroll 4
            for (std::int64_t r = 0; r < kRows; ++r) sum[r][c] += a[r] * b;
        }
    }
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) {
            float total = of.offset != nullptr ? of.offset[column + c] : 0.0F;
            for (int lane = 0; lane < kLanes; ++lane) total += sum[r][c][lane];
            of.y[(row + r) * of.y_stride + column + c] = total;
        }
}

template <class T>
KINESCOPE_WIDE void multiply_columns(const Product<T>& of, std::int64_t begin, std::int64_t end) {
    for (auto column = begin; column < end; column += kColumns)
        for (std::int64_t row = 0; row < of.rows; row += kRows)
            multiply_tile(of, row, column, std::min(kColumns, end - column));
}

}  // namespace

__attribute__((target("avx512f"))) void multiply(const Product<float>& product, std::int64_t begin, std::int64_t end) {
    multiply_columns(product, begin, end);
}

__attribute__((target("avx512f"))) void multiply(const Product<at::BFloat16>& product, std::int64_t begin,
                                                 std::int64_t end) {
    multiply_columns(product, begin, end);
}

__attribute__((target("avx512f"))) void multiply(const Product<at::Half>& product, std::int64_t begin,
                                                 std::int64_t end) {
    multiply_columns(product, begin, end);
}

#else

void multiply(const Product<float>&, std::int64_t, std::int64_t) {}
void multiply(const Product<at::BFloat16>&, std::int64_t, std::int64_t) {}
void multiply(const Product<at::Half>&, std::int64_t, std::int64_t) {}

#endif

}  // namespace kinescope::few_rows_product
