#include "core/nn/cpu/few_rows_product.h"

#include <algorithm>

#include "core/device/cpu_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/nn/cpu/few_rows_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Once per target, therefore after foreach_target.h.
#include "core/nn/cpu/wide_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace kinescope::few_rows_product::HWY_NAMESPACE {
namespace {

using namespace kinescope::HWY_NAMESPACE;

/// The rows of the weight, and the maximum rows of x, that the registers hold together: 32 of them with AVX-512, 16
/// with AVX2.
constexpr int kColumns = 4, kMostRows = kWidth == 16 ? 4 : 2;

/// Clamps a column index of a partial tile to a valid column. The duplicate result is not stored.
constexpr std::int64_t valid_column(std::int64_t column, std::int64_t columns) {
    return column < columns ? column : 0;
}

template <int rows, class T>
[[gnu::always_inline]] inline void add_products(WideFloats (&sum)[rows][kColumns], const float* const (&x)[rows],
                                                const T* const (&weight)[kColumns], std::int64_t k,
                                                std::int64_t count) {
    WideFloats a[rows], b;
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) load_wide(a[r], x[r] + k, count);
#pragma GCC unroll 4
    for (int c = 0; c < kColumns; ++c) {
        load_wide(b, weight[c] + k, count);
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) sum[r][c] += a[r] * b;
    }
}

/// Computes a tile of y: `rows` rows, starting at `row`, and `columns` columns, starting at `column`.
template <int rows, class T>
[[gnu::always_inline]] inline void multiply_tile(const Product<T>& of, std::int64_t row, std::int64_t column,
                                                 std::int64_t columns) {
    const float* x[rows];
    const T* weight[kColumns];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) x[r] = of.x + (row + r) * of.x_stride;
#pragma GCC unroll 4
    for (int c = 0; c < kColumns; ++c) weight[c] = of.weight + (column + valid_column(c, columns)) * of.weight_stride;
    WideFloats sum[rows][kColumns] = {};
    const auto whole = of.depth / kWidth * kWidth;
    for (std::int64_t k = 0; k < whole; k += kWidth) add_products(sum, x, weight, k, kWidth);
    if (whole < of.depth) add_products(sum, x, weight, whole, of.depth - whole);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < kColumns; ++c) {
            if (c >= columns) continue;
            float total = of.offset != nullptr ? of.offset[column + c] : 0.0F;
            for (int lane = 0; lane < kWidth; ++lane) total += sum[r][c][lane];
            of.y[(row + r) * of.y_stride + column + c] = total;
        }
}

template <class T>
[[gnu::always_inline]] inline void multiply_columns(const Product<T>& of, std::int64_t begin, std::int64_t end) {
    for (auto column = begin; column < end; column += kColumns) {
        const auto columns = std::min<std::int64_t>(kColumns, end - column);
        std::int64_t row = 0;
        for (; row + kMostRows <= of.rows; row += kMostRows) multiply_tile<kMostRows>(of, row, column, columns);
        for (; row < of.rows; ++row) multiply_tile<1>(of, row, column, columns);
    }
}

void multiply_float32(const Product<float>& product, std::int64_t begin, std::int64_t end) {
    multiply_columns(product, begin, end);
}

void multiply_bfloat16(const Product<at::BFloat16>& product, std::int64_t begin, std::int64_t end) {
    multiply_columns(product, begin, end);
}

void multiply_float16(const Product<at::Half>& product, std::int64_t begin, std::int64_t end) {
    multiply_columns(product, begin, end);
}

}  // namespace
}  // namespace kinescope::few_rows_product::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::few_rows_product {

HWY_EXPORT(multiply_float32);
void multiply(const Product<float>& product, std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(multiply_float32)(product, begin, end);
}

HWY_EXPORT(multiply_bfloat16);
void multiply(const Product<at::BFloat16>& product, std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(multiply_bfloat16)(product, begin, end);
}

HWY_EXPORT(multiply_float16);
void multiply(const Product<at::Half>& product, std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(multiply_float16)(product, begin, end);
}

}  // namespace kinescope::few_rows_product

#endif
