#include "core/nn/cpu/gemm_kernel.h"

#include <array>
#include <cstddef>
#include <utility>

#include "core/base/round_up.h"

namespace kinescope::gemm_kernel {

#if defined(__x86_64__) && defined(__GNUC__)

namespace {

/// Floats per cache line.
constexpr std::int64_t kLine = 16;
/// The number of rows of the next `a` that each tile of rows prefetches.
constexpr std::int64_t kRowsAhead = 3;

template <int lanes>
struct VectorOf {
    typedef float type __attribute__((vector_size(lanes * sizeof(float))));
    typedef float unaligned __attribute__((vector_size(lanes * sizeof(float)), aligned(sizeof(float))));
};

/// Computes sum += x b as one fused multiply-add. Uses the AVX-512 intrinsic so that all rows round in the same way
/// regardless of compiler settings.
template <class Vector>
[[gnu::always_inline]] inline void add_product(Vector& sum, const Vector& x, const Vector& b) {
    if constexpr (sizeof(Vector) == 64)
        asm("vfmadd231ps %2, %1, %0" : "+v"(sum) : "v"(b), "v"(x));
    else
        sum += x * b;
}

/// Computes sum += x b with a broadcast load folded into the instruction: if another hyper-thread shares the core's
/// front end, the number of instructions limits the speed.
template <class Vector>
[[gnu::always_inline]] inline void add_read_product(Vector& sum, const float& x, const Vector& b) {
    if constexpr (sizeof(Vector) == 64)
        asm("vfmadd231ps %2%{1to16%}, %1, %0" : "+v"(sum) : "v"(b), "m"(x));
    else
        sum += x * b;
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

template <int rows, class Vector, class Unaligned>
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

/// Multiplies a tile of `rows` rows and 2 * `lanes` columns of the result, which stays in registers.
template <int lanes, int rows>
[[gnu::always_inline]] inline void multiply_rows(const Product& product) {
    using Vector = typename VectorOf<lanes>::type;
    using Unaligned = typename VectorOf<lanes>::unaligned;
    Vector sum[rows][2];
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
        float* const c = product.c + r * product.c_stride;
        // Initial value of the sum: the result so far, the offset of each column, or zero.
        const float* const from = product.sum == Sum::accumulate ? c : product.offset;
        sum[r][0] = from != nullptr ? *reinterpret_cast<const Unaligned*>(from) : Vector{};
        sum[r][1] = from != nullptr ? *reinterpret_cast<const Unaligned*>(from + lanes) : Vector{};
        float* const next = product.next_c + r * product.c_stride;
        __builtin_prefetch(next, 1);
        __builtin_prefetch(next + lanes, 1);
    }
    Rows a(product.a, product.a_stride);
    const float *b = product.b, *const end = b + product.depth * kPanelColumns, *next_a = product.next_a;
    for (const float* const whole = b + product.depth / kLine * kLine * kPanelColumns; b != whole; next_a += kLine) {
#pragma GCC unroll 4
        for (int r = 0; r < kRowsAhead; ++r) __builtin_prefetch(next_a + r * a.stride, 0, 2);
#pragma GCC unroll 1
        for (const float* const line = b + kLine * kPanelColumns; b != line; b += 2 * kPanelColumns, a.advance(2)) {
            add_column<rows, Vector, Unaligned>(sum, a, 0, b);
            add_column<rows, Vector, Unaligned>(sum, a, 1, b + kPanelColumns);
        }
    }
    for (; b != end; b += kPanelColumns, a.advance(1)) add_column<rows, Vector, Unaligned>(sum, a, 0, b);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
        float* const c = product.c + r * product.c_stride;
        *reinterpret_cast<Unaligned*>(c) = sum[r][0];
        *reinterpret_cast<Unaligned*>(c + lanes) = sum[r][1];
    }
}

template <int rows>
__attribute__((target("avx512f"))) void multiply_avx512(const Product& product) {
    multiply_rows<16, rows>(product);
}

template <int rows>
__attribute__((target("avx2,fma"))) void multiply_avx2(const Product& product) {
    for (std::int64_t column = 0; column < kPanelColumns; column += 16) {
        Product half = product;
        half.b += column;
        half.c += column;
        half.next_c += column;
        if (half.offset != nullptr) half.offset += column;
        multiply_rows<8, rows>(half);
    }
}

using Multiply = void (*)(const Product&);

template <int... rows>
constexpr std::array<Multiply, sizeof...(rows)> avx512_table(std::integer_sequence<int, rows...>) {
    return {multiply_avx512<rows + 1>...};
}

template <int... rows>
constexpr std::array<Multiply, sizeof...(rows)> avx2_table(std::integer_sequence<int, rows...>) {
    return {multiply_avx2<rows + 1>...};
}

/// The kernels, indexed by the number of rows minus 1. The largest kernels use 28 of 32 (AVX-512) or 12 of 16 (AVX2)
/// vector registers.
constexpr auto kAvx512 = avx512_table(std::make_integer_sequence<int, 14>());
constexpr auto kAvx2 = avx2_table(std::make_integer_sequence<int, 6>());

/// Divides the rows into tiles of almost equal size.
template <std::size_t most>
void multiply_by(const std::array<Multiply, most>& table, Product product) {
    const auto parts = count_parts(product.rows, static_cast<std::int64_t>(most));
    const auto rows = product.rows / parts, larger_parts = product.rows % parts;
    float* const after = product.next_c != nullptr ? product.next_c : product.c;
    const bool fetches_a = product.next_a != nullptr;
    for (std::int64_t i = 0; i < parts; ++i) {
        product.rows = i < larger_parts ? rows + 1 : rows;
        product.next_c = i + 1 < parts ? product.c + product.rows * product.c_stride : after;
        if (!fetches_a) product.next_a = product.a;
        table[static_cast<std::size_t>(product.rows) - 1](product);
        product.a += product.rows * product.a_stride;
        product.c += product.rows * product.c_stride;
        product.next_a += kRowsAhead * product.a_stride;
    }
}

}  // namespace

bool is_supported() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool is_wide() {
    static const bool has_avx512 = __builtin_cpu_supports("avx512f");
    return has_avx512;
}

std::int64_t fetched_rows(std::int64_t rows) {
    return kRowsAhead * count_parts(rows, static_cast<std::int64_t>(is_wide() ? kAvx512.size() : kAvx2.size()));
}

void multiply(const Product& product) {
    if (is_wide())
        multiply_by(kAvx512, product);
    else
        multiply_by(kAvx2, product);
}

#else

bool is_supported() {
    return false;
}

bool is_wide() {
    return false;
}

std::int64_t fetched_rows(std::int64_t) {
    return 0;
}

void multiply(const Product&) {}

#endif

}  // namespace kinescope::gemm_kernel
