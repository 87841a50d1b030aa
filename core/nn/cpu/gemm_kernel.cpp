#include "core/nn/cpu/gemm_kernel.h"

#include <array>
#include <cstddef>
#include <utility>

#include "core/base/round_up.h"
#include "core/device/cpu_level.h"
#include "core/device/cpu_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/nn/cpu/gemm_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinescope::gemm_kernel::HWY_NAMESPACE {
namespace {

/// Floats per cache line.
constexpr std::int64_t kLine = 16;
/// The number of rows of the next `a` that each tile of rows prefetches.
constexpr std::int64_t kRowsAhead = 3;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// The floats of a vector, and the rows of the largest tile, which uses 28 of 32 vector registers.
constexpr int kWidth = 16, kMostRows = 14;
#else
/// The floats of a vector, and the rows of the largest tile, which uses 12 of 16 vector registers.
constexpr int kWidth = 8, kMostRows = 6;
#endif

typedef float Vector __attribute__((vector_size(kWidth * sizeof(float))));
typedef float Unaligned __attribute__((vector_size(kWidth * sizeof(float)), aligned(sizeof(float))));

/// Computes sum += x b as one fused multiply-add. With AVX-512 as an instruction, because add_read_product
/// has to round in the same way.
[[gnu::always_inline]] inline void add_product(Vector& sum, const Vector& x, const Vector& b) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    asm("vfmadd231ps %2, %1, %0" : "+v"(sum) : "v"(b), "v"(x));
#else
    sum += x * b;
#endif
}

/// Computes sum += x b with a broadcast load folded into the instruction: if another hyper-thread shares the core's
/// front end, the number of instructions limits the speed.
[[gnu::always_inline]] inline void add_read_product(Vector& sum, const float& x, const Vector& b) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    asm("vfmadd231ps %2%{1to16%}, %1, %0" : "+v"(sum) : "v"(b), "m"(x));
#else
    sum += x * b;
#endif
}

/// The addresses of up to 14 rows of `a` at one column: a pointer to every third row, plus 0, 1 or 2 strides. Fourteen
/// pointers would not fit into x86's registers.
struct Rows {
    const float *a, *a3, *a6, *a9, *a12;
    std::int64_t stride;

    Rows(const float* first, std::int64_t to_next)
        : a(first),
          a3(a + 3 * to_next),
          a6(a3 + 3 * to_next),
          a9(a6 + 3 * to_next),
          a12(a9 + 3 * to_next),
          stride(to_next) {}

    [[gnu::always_inline]] const float& at(int row, int column) const {
        const float* const near = row < 3 ? a : row < 6 ? a3 : row < 9 ? a6 : row < 12 ? a9 : a12;
        return near[(row % 3) * stride + column];
    }
    [[gnu::always_inline]] void advance(int columns) {
        a += columns;
        a3 += columns;
        a6 += columns;
        a9 += columns;
        a12 += columns;
    }
};

template <int rows>
[[gnu::always_inline]] inline void add_column(Vector (&sum)[rows][2], const Rows& a, int column, const float* b) {
    const Vector left = *reinterpret_cast<const Unaligned*>(b);
    const Vector right = *reinterpret_cast<const Unaligned*>(b + sizeof(Vector) / sizeof(float));
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
        const float& x = a.at(r, column);
        // The address is written out so that the compiler folds it into the instruction.
        if (r % 3 == 0) {
            add_read_product(sum[r][0], x, left);
            add_read_product(sum[r][1], x, right);
        } else {
            const Vector spread = x - Vector{};
            add_product(sum[r][0], spread, left);
            add_product(sum[r][1], spread, right);
        }
    }
}

/// Multiplies a tile of `rows` rows and 2 * kWidth columns of the result, which stays in registers.
template <int rows>
[[gnu::always_inline]] inline void multiply_columns(const Product& product) {
    Vector sum[rows][2];
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
        float* const c = product.c + r * product.c_stride;
        // Initial value of the sum: the result so far, the offset of each column, or zero.
        const float* const from = product.sum == Sum::accumulate ? c : product.offset;
        sum[r][0] = from != nullptr ? *reinterpret_cast<const Unaligned*>(from) : Vector{};
        sum[r][1] = from != nullptr ? *reinterpret_cast<const Unaligned*>(from + kWidth) : Vector{};
        float* const next = product.next_c + r * product.c_stride;
        __builtin_prefetch(next, 1);
        __builtin_prefetch(next + kWidth, 1);
    }
    Rows a(product.a, product.a_stride);
    const float *b = product.b, *const end = b + product.depth * kPanelColumns, *next_a = product.next_a;
    for (const float* const whole = b + product.depth / kLine * kLine * kPanelColumns; b != whole; next_a += kLine) {
#pragma GCC unroll 4
        for (int r = 0; r < kRowsAhead; ++r) __builtin_prefetch(next_a + r * a.stride, 0, 2);
#pragma GCC unroll 1
        for (const float* const line = b + kLine * kPanelColumns; b != line; b += 2 * kPanelColumns, a.advance(2)) {
            add_column<rows>(sum, a, 0, b);
            add_column<rows>(sum, a, 1, b + kPanelColumns);
        }
    }
    for (; b != end; b += kPanelColumns, a.advance(1)) add_column<rows>(sum, a, 0, b);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
        float* const c = product.c + r * product.c_stride;
        *reinterpret_cast<Unaligned*>(c) = sum[r][0];
        *reinterpret_cast<Unaligned*>(c + kWidth) = sum[r][1];
    }
}

/// Multiplies a tile of `rows` rows and all columns of the panel.
template <int rows>
void multiply_tile(const Product& product) {
    for (std::int64_t column = 0; column < kPanelColumns; column += 2 * kWidth) {
        Product part = product;
        part.b += column;
        part.c += column;
        part.next_c += column;
        if (part.offset != nullptr) part.offset += column;
        multiply_columns<rows>(part);
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
void multiply_by_tiles(const Product& whole) {
    Product product = whole;
    const auto parts = count_parts(product.rows, std::int64_t{kMostRows});
    const auto rows = product.rows / parts, larger_parts = product.rows % parts;
    float* const after = product.next_c != nullptr ? product.next_c : product.c;
    const bool fetches_a = product.next_a != nullptr;
    for (std::int64_t i = 0; i < parts; ++i) {
        product.rows = i < larger_parts ? rows + 1 : rows;
        product.next_c = i + 1 < parts ? product.c + product.rows * product.c_stride : after;
        if (!fetches_a) product.next_a = product.a;
        kTiles[static_cast<std::size_t>(product.rows) - 1](product);
        product.a += product.rows * product.a_stride;
        product.c += product.rows * product.c_stride;
        product.next_a += kRowsAhead * product.a_stride;
    }
}

std::int64_t rows_of_tile() {
    return kMostRows;
}

std::int64_t count_fetched_rows(std::int64_t rows) {
    return kRowsAhead * count_parts(rows, std::int64_t{kMostRows});
}

}  // namespace
}  // namespace kinescope::gemm_kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::gemm_kernel {

bool is_supported() {
    return cpu_level() >= CpuLevel::avx2;
}

HWY_EXPORT(rows_of_tile);
std::int64_t most_rows_of_tile() {
    return HWY_DYNAMIC_DISPATCH(rows_of_tile)();
}

HWY_EXPORT(count_fetched_rows);
std::int64_t fetched_rows(std::int64_t rows) {
    return HWY_DYNAMIC_DISPATCH(count_fetched_rows)(rows);
}

HWY_EXPORT(multiply_by_tiles);
void multiply(const Product& product) {
    HWY_DYNAMIC_DISPATCH(multiply_by_tiles)(product);
}

}  // namespace kinescope::gemm_kernel

#endif
