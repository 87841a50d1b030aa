#include "core/nn/cpu/int8_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/cpu_vectors.h"
#include "core/base/round_up.h"
#include "core/device/cpu_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/nn/cpu/int8_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Once per target, therefore after foreach_target.h.
#include "core/nn/cpu/wide_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace kinescope::int8_kernels::HWY_NAMESPACE {
namespace {

using namespace kinescope::HWY_NAMESPACE;

/// Adding this constant rounds a float to the nearest integer, in the low bits of the sum. A conversion would be
/// undefined for NaN.
constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23
constexpr std::int32_t kRounderBits = 0x4b400000;

RowFacts inspect(const float* row, std::int64_t size) {
    IntLanes largest = {};
    FloatLanes squares = {};
    for (std::int64_t i = 0; i < size; i += kLanes) {
        FloatLanes x;
        IntLanes magnitude;
        load_lanes(x, row + i, size - i);
        std::memcpy(&magnitude, &x, sizeof magnitude);
        magnitude &= 0x7fffffff;  // integer order of the bits equals the order of |x|, with Inf and NaN above all
        largest = magnitude > largest ? magnitude : largest;
        squares += x * x;
    }
    std::int32_t bits = 0;
    double sum = 0;
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        bits = std::max(bits, largest[lane]);
        sum += static_cast<double>(squares[lane]);
    }
    RowFacts facts{0, static_cast<float>(std::sqrt(sum / static_cast<double>(size)))};
    std::memcpy(&facts.largest, &bits, sizeof bits);
    return facts;
}

template <class T>
[[gnu::always_inline]] inline void round_row_to(const float* row, std::int64_t size, float factor, T* to) {
    typedef T Rounded __attribute__((vector_size(kLanes * sizeof(T))));
    for (std::int64_t i = 0; i < size; i += kLanes) {
        FloatLanes x;
        IntLanes bits;
        load_lanes(x, row + i, size - i);
        x = x * factor + kRounder;
        std::memcpy(&bits, &x, sizeof bits);
        const Rounded rounded = __builtin_convertvector(bits - kRounderBits, Rounded);
        store_lanes(to + i, rounded, size - i);
    }
}

void round_row_to_int8(const float* row, std::int64_t size, float factor, std::int8_t* to) {
    round_row_to(row, size, factor, to);
}

void round_row_to_int16(const float* row, std::int64_t size, float factor, std::int16_t* to) {
    round_row_to(row, size, factor, to);
}

void rescale_row(std::int32_t* row, std::int64_t size, float row_scale, const float* column_scale, const float* bias) {
    for (std::int64_t i = 0; i < size; i += kLanes) {
        IntLanes sums;
        FloatLanes scale;
        load_lanes(sums, row + i, size - i);
        load_lanes(scale, column_scale + i, size - i);
        FloatLanes y = __builtin_convertvector(sums, FloatLanes) * (scale * row_scale);
        if (bias != nullptr) {
            FloatLanes offset;
            load_lanes(offset, bias + i, size - i);
            y += offset;
        }
        store_lanes(row + i, y, size - i);
    }
}

/// Pairs of int16 values, one pair per int32 lane.
typedef std::int16_t WidePairs __attribute__((vector_size(2 * kWidth * sizeof(std::int16_t))));
typedef std::int8_t BytePairs __attribute__((vector_size(2 * kWidth)));

/// The rows of a tile of the result and its columns in vectors. The sums stay in registers: AVX-512 has 32, AVX2 has
/// 16, of which four hold operands and products.
constexpr int kMostRows = kWidth == 16 ? 14 : 5, kVectors = 2;
/// Rows that one pointer addresses, with 0, 1 or 2 strides. A pointer per row would not fit into x86's registers.
constexpr int kRowsOfPointer = 3;

void pack_rows(const WeightRows& rows, std::int16_t* to) {
    for (std::int64_t k = 0; k < rows.depth; k += 2 * kWidth)
        for (std::int64_t column = 0; column < kPanelColumns; column += kWidth) {
            WideFloats pairs[kWidth];  // as floats, because a transposition only moves the bits
#pragma GCC unroll 16
            for (std::int64_t i = 0; i < kWidth; ++i) {
                BytePairs bytes = {};
                if (column + i < rows.count) {
                    const auto* from = rows.first + (column + i) * rows.stride + k;
                    std::memcpy(&bytes, from, static_cast<std::size_t>(std::min(rows.depth - k, 2 * kWidth)));
                }
                const WidePairs wide = __builtin_convertvector(bytes, WidePairs);
                std::memcpy(&pairs[i], &wide, sizeof wide);
            }
            transpose_wide(pairs);
#pragma GCC unroll 16
            for (std::int64_t i = 0; i < kWidth; ++i)
                std::memcpy(to + ((k / 2 + i) * kPanelColumns + column) * 2, &pairs[i], sizeof pairs[i]);
        }
}

/// Adds x[0] * b[0] + x[1] * b[1] of each pair to its sum.
[[gnu::always_inline]] inline void add_products(WideInts& sum, const WidePairs& x, const WidePairs& b) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    __m512i left, right;
    std::memcpy(&left, &x, sizeof left);
    std::memcpy(&right, &b, sizeof right);
    const __m512i products = _mm512_madd_epi16(left, right);
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    __m256i left, right;
    std::memcpy(&left, &x, sizeof left);
    std::memcpy(&right, &b, sizeof right);
    const __m256i products = _mm256_madd_epi16(left, right);
#else
    WideInts products;
    for (std::int64_t lane = 0; lane < kWidth; ++lane)
        products[lane] = x[2 * lane] * b[2 * lane] + x[2 * lane + 1] * b[2 * lane + 1];
#endif
    WideInts summand;
    std::memcpy(&summand, &products, sizeof summand);
    sum += summand;
}

/// Multiplies a tile of `rows` rows and up to kVectors vectors of columns.
template <int rows>
void multiply_tile(const Product& product) {
    WideInts sum[rows][kVectors] = {};
    constexpr int kPointers = (rows + kRowsOfPointer - 1) / kRowsOfPointer;
    const std::int64_t stride = product.a_stride;
    const std::int16_t *a[kPointers], *b = product.b;
#pragma GCC unroll 8
    for (int i = 0; i < kPointers; ++i) a[i] = product.a + i * kRowsOfPointer * stride;
    for (const auto* const end = b + product.pairs * 2 * kPanelColumns; b != end; b += 2 * kPanelColumns) {
        WidePairs right[kVectors];
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) std::memcpy(&right[v], b + v * 2 * kWidth, sizeof right[v]);
#pragma GCC unroll 16
        for (int r = 0; r < rows; ++r) {
            std::int32_t pair;
            std::memcpy(&pair, a[r / kRowsOfPointer] + r % kRowsOfPointer * stride, sizeof pair);
            const WideInts spread = pair - WideInts{};
            WidePairs left;
            std::memcpy(&left, &spread, sizeof left);
#pragma GCC unroll 2
            for (int v = 0; v < kVectors; ++v) add_products(sum[r][v], left, right[v]);
        }
#pragma GCC unroll 8
        for (int i = 0; i < kPointers; ++i) a[i] += 2;
    }
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
            const auto columns = std::clamp<std::int64_t>(product.columns - v * kWidth, 0, kWidth);
            std::int32_t* const c = product.c + r * product.c_stride + v * kWidth;
            WideInts total = sum[r][v];
            if (product.sum == Sum::accumulate) {
                WideInts before;
                load_first(before, c, columns);
                total += before;
            }
            std::memcpy(c, &total, static_cast<std::size_t>(columns) * sizeof(std::int32_t));
        }
}

using Multiply = void (*)(const Product&);

template <int... rows>
constexpr std::array<Multiply, sizeof...(rows)> table_of(std::integer_sequence<int, rows...>) {
    return {multiply_tile<rows + 1>...};
}

/// The kernels, indexed by the number of rows minus 1.
constexpr auto kTiles = table_of(std::make_integer_sequence<int, kMostRows>());

/// Divides the rows into tiles of almost equal size.
void multiply_by_tiles(const Product& product) {
    const auto parts = count_parts(product.rows, std::int64_t{kMostRows});
    for (std::int64_t i = 0; i < parts; ++i) {
        const auto first = product.rows * i / parts, rows = product.rows * (i + 1) / parts - first;
        for (std::int64_t column = 0; column < product.columns; column += kVectors * kWidth) {
            Product tile = product;
            tile.a += first * product.a_stride;
            tile.b += 2 * column;
            tile.c += first * product.c_stride + column;
            tile.columns -= column;
            kTiles[static_cast<std::size_t>(rows) - 1](tile);
        }
    }
}

}  // namespace
}  // namespace kinescope::int8_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::int8_kernels {

HWY_EXPORT(inspect);
RowFacts inspect(const float* row, std::int64_t size) {
    return HWY_DYNAMIC_DISPATCH(inspect)(row, size);
}

HWY_EXPORT(round_row_to_int8);
void round_row(const float* row, std::int64_t size, float factor, std::int8_t* to) {
    HWY_DYNAMIC_DISPATCH(round_row_to_int8)(row, size, factor, to);
}

HWY_EXPORT(round_row_to_int16);
void round_row(const float* row, std::int64_t size, float factor, std::int16_t* to) {
    HWY_DYNAMIC_DISPATCH(round_row_to_int16)(row, size, factor, to);
}

HWY_EXPORT(rescale_row);
void rescale_row(std::int32_t* row, std::int64_t size, float row_scale, const float* column_scale, const float* bias) {
    HWY_DYNAMIC_DISPATCH(rescale_row)(row, size, row_scale, column_scale, bias);
}

HWY_EXPORT(pack_rows);
void pack(const WeightRows& rows, std::int16_t* to) {
    HWY_DYNAMIC_DISPATCH(pack_rows)(rows, to);
}

HWY_EXPORT(multiply_by_tiles);
void multiply(const Product& product) {
    HWY_DYNAMIC_DISPATCH(multiply_by_tiles)(product);
}

}  // namespace kinescope::int8_kernels

#endif
