#include "core/nn/cpu/few_rows_product.h"

#include <algorithm>

#include "core/nn/cpu/wide_lanes.h"

namespace kinescope::few_rows_product {

#if defined(__x86_64__) && defined(__GNUC__)

namespace {

/// The rows of the weight, and the maximum rows of x, that the registers hold together.
constexpr int kColumns = 4, kMostRows = 4;

/// Clamps a column index of a partial tile to a valid column. The duplicate result is not stored.
constexpr std::int64_t valid_column(std::int64_t column, std::int64_t columns) {
    return column < columns ? column : 0;
}

template <int rows, class T>
KINESCOPE_WIDE void add_products(FloatLanes (&sum)[rows][kColumns], const float* const (&x)[rows],
                                 const T* const (&weight)[kColumns], std::int64_t k, std::int64_t count) {
    FloatLanes a[rows], b;
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
KINESCOPE_WIDE void multiply_tile(const Product<T>& of, std::int64_t row, std::int64_t column, std::int64_t columns) {
    const float* x[rows];
    const T* weight[kColumns];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) x[r] = of.x + (row + r) * of.x_stride;
#pragma GCC unroll 4
    for (int c = 0; c < kColumns; ++c) weight[c] = of.weight + (column + valid_column(c, columns)) * of.weight_stride;
    FloatLanes sum[rows][kColumns] = {};
    const auto whole = of.depth / kLanes * kLanes;
    for (std::int64_t k = 0; k < whole; k += kLanes) add_products(sum, x, weight, k, kLanes);
    if (whole < of.depth) add_products(sum, x, weight, whole, of.depth - whole);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < kColumns; ++c) {
            if (c >= columns) continue;
            float total = of.offset != nullptr ? of.offset[column + c] : 0.0F;
            for (int lane = 0; lane < kLanes; ++lane) total += sum[r][c][lane];
            of.y[(row + r) * of.y_stride + column + c] = total;
        }
}

template <class T>
KINESCOPE_WIDE void multiply_columns(const Product<T>& of, std::int64_t begin, std::int64_t end) {
    for (auto column = begin; column < end; column += kColumns) {
        const auto columns = std::min<std::int64_t>(kColumns, end - column);
        std::int64_t row = 0;
        for (; row + kMostRows <= of.rows; row += kMostRows) multiply_tile<kMostRows>(of, row, column, columns);
        for (; row < of.rows; ++row) multiply_tile<1>(of, row, column, columns);
    }
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
