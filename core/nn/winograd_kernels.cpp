#include "core/nn/winograd_kernels.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/base/cpu_clones.h"

namespace kinescope::winograd {

namespace {

using Floats = FloatLanes;

#define KINESCOPE_INLINE [[gnu::always_inline]] inline

KINESCOPE_INLINE void load(const float* from, Floats& value) {
    std::memcpy(&value, from, sizeof value);
}

KINESCOPE_INLINE void store(const Floats& value, float* to) {
    std::memcpy(to, &value, sizeof value);
}

/// F(2, 3): two results of four neighbours d from four products.
struct FourPoints {
    static constexpr int kCount = 4;
    KINESCOPE_INLINE static void input(const Floats* d, Floats* v) {
        v[0] = d[0] - d[2];
        v[1] = d[1] + d[2];
        v[2] = d[2] - d[1];
        v[3] = d[1] - d[3];
    }
    KINESCOPE_INLINE static void weight(const Floats* g, Floats* u) {
        const Floats outer = g[0] + g[2];
        u[0] = g[0];
        u[1] = (outer + g[1]) * 0.5f;
        u[2] = (outer - g[1]) * 0.5f;
        u[3] = g[2];
    }
    KINESCOPE_INLINE static void output(const Floats* m, Floats* y) {
        y[0] = m[0] + m[1] + m[2];
        y[1] = m[1] - m[2] - m[3];
    }
};

/// The same of a, b, b, c: the third product is always zero.
struct ThreePoints {
    static constexpr int kCount = 3;
    KINESCOPE_INLINE static void input(const Floats* d, Floats* v) {
        v[0] = d[0] - d[1];
        v[1] = d[1];
        v[2] = d[1] - d[2];
    }
    KINESCOPE_INLINE static void weight(const Floats* g, Floats* u) {
        u[0] = g[0];
        u[1] = g[0] + g[1] + g[2];
        u[2] = g[2];
    }
    KINESCOPE_INLINE static void output(const Floats* m, Floats* y) {
        y[0] = m[0] + m[1];
        y[1] = m[1] - m[2];
    }
};

/// One vector of channels, which begins at `first`.
template <class P>
KINESCOPE_INLINE void input_of(const float* const* places, std::int64_t first, float* values, std::int64_t plane) {
    constexpr int n = P::kCount;
    Floats rows[n][n];
#pragma GCC unroll 4
    for (int j = 0; j < n; ++j) {
        Floats d[n], v[n];
#pragma GCC unroll 4
        for (int i = 0; i < n; ++i) load(places[i * n + j] + first, d[i]);
        P::input(d, v);
#pragma GCC unroll 4
        for (int i = 0; i < n; ++i) rows[i][j] = v[i];
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; ++i) {
        Floats v[n];
        P::input(rows[i], v);
#pragma GCC unroll 4
        for (int j = 0; j < n; ++j) store(v[j], values + (i * n + j) * plane);
    }
}

template <class P>
KINESCOPE_INLINE void input_of_all(const float* const* places, std::int64_t channels, float* values,
                                   std::int64_t plane) {
    std::int64_t first = 0;
    for (; first + kLanes <= channels; first += kLanes) input_of<P>(places, first, values + first, plane);
    if (first == channels) return;
    constexpr int n = P::kCount;
    float rest[n * n][kLanes] = {};
    const float* padded[n * n];
    for (int i = 0; i < n * n; ++i) {
        std::memcpy(rest[i], places[i] + first, static_cast<std::size_t>(channels - first) * sizeof(float));
        padded[i] = rest[i];
    }
    input_of<P>(padded, 0, values + first, plane);
}

template <class P>
KINESCOPE_INLINE void weight_of(const float* weight, std::int64_t stride, float* values, std::int64_t plane) {
    constexpr int n = P::kCount;
    Floats rows[n][3];
#pragma GCC unroll 4
    for (int j = 0; j < 3; ++j) {
        Floats g[3], u[n];
#pragma GCC unroll 4
        for (int i = 0; i < 3; ++i) load(weight + (i * 3 + j) * stride, g[i]);
        P::weight(g, u);
#pragma GCC unroll 4
        for (int i = 0; i < n; ++i) rows[i][j] = u[i];
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; ++i) {
        Floats u[n];
        P::weight(rows[i], u);
#pragma GCC unroll 4
        for (int j = 0; j < n; ++j) store(u[j], values + (i * n + j) * plane);
    }
}

/// Four times the first half of the rows is laced with the second one.
KINESCOPE_INLINE void transpose(Floats* rows) {
    static_assert(kLanes == 16);
    Floats laced[kLanes];
    for (int turn = 0; turn < 4; ++turn) {
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i) {
            laced[2 * i] =
                __builtin_shufflevector(rows[i], rows[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            laced[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                                       29, 14, 30, 15, 31);
        }
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i) rows[i] = laced[i];
    }
}

/// kLanes input channels at a time are turned so that output channels lie side by side.
template <class P>
KINESCOPE_INLINE void weight_of_all(const Filters& filters, float* values, std::int64_t plane) {
    constexpr std::int64_t kPlaces = 9;
    float turned[kPlaces * kLanes][kLanes];
    for (std::int64_t first = 0; first < filters.ins; first += kLanes) {
        const auto floats = std::min(kLanes, filters.ins - first) * kPlaces;
        for (std::int64_t column = 0; column < kPlaces * kLanes; column += kLanes) {
            Floats rows[kLanes];
#pragma GCC unroll 16
            for (std::int64_t o = 0; o < kLanes; ++o)
                load_lanes(rows[o], filters.weight + o * filters.out_stride + first * kPlaces + column,
                           o < filters.outs ? std::max<std::int64_t>(floats - column, 0) : 0);
            transpose(rows);
#pragma GCC unroll 16
            for (std::int64_t i = 0; i < kLanes; ++i) store(rows[i], turned[column + i]);
        }
        for (std::int64_t i = 0; i < kLanes; ++i)
            weight_of<P>(turned[i * kPlaces], kLanes, values + (first + i) * kStrip, plane);
    }
}

template <class P>
KINESCOPE_INLINE void output_of(const float* values, std::int64_t plane, const float* bias, float* const* places,
                                std::int64_t first) {
    constexpr int n = P::kCount;
    Floats rows[2][n], offset;
    load(bias, offset);
#pragma GCC unroll 4
    for (int j = 0; j < n; ++j) {
        Floats m[n], y[2];
#pragma GCC unroll 4
        for (int i = 0; i < n; ++i) load(values + (i * n + j) * plane, m[i]);
        P::output(m, y);
        rows[0][j] = y[0];
        rows[1][j] = y[1];
    }
#pragma GCC unroll 4
    for (int i = 0; i < 2; ++i) {
        Floats y[2];
        P::output(rows[i], y);
        store(y[0] + offset, places[2 * i] + first);
        store(y[1] + offset, places[2 * i + 1] + first);
    }
}

template <class P>
KINESCOPE_INLINE void output_of_all(const float* values, std::int64_t plane, const float* bias, std::int64_t channels,
                                    float* const* places) {
    std::int64_t first = 0;
    for (; first + kLanes <= channels; first += kLanes)
        output_of<P>(values + first, plane, bias + first, places, first);
    if (first == channels) return;
    float rest[4][kLanes];
    float* const padded[4] = {rest[0], rest[1], rest[2], rest[3]};
    output_of<P>(values + first, plane, bias + first, padded, 0);
    for (int i = 0; i < 4; ++i)
        std::memcpy(places[i] + first, rest[i], static_cast<std::size_t>(channels - first) * sizeof(float));
}

}  // namespace

KINESCOPE_CPU_CLONES
void transform_input(Points points, const float* const* places, std::int64_t channels, float* values,
                     std::int64_t plane) {
    if (points == Points::four)
        input_of_all<FourPoints>(places, channels, values, plane);
    else
        input_of_all<ThreePoints>(places, channels, values, plane);
}

KINESCOPE_CPU_CLONES
void transform_weight(Points points, const Filters& filters, float* values, std::int64_t plane) {
    if (points == Points::four)
        weight_of_all<FourPoints>(filters, values, plane);
    else
        weight_of_all<ThreePoints>(filters, values, plane);
}

KINESCOPE_CPU_CLONES
void transform_output(Points points, const float* values, std::int64_t plane, const float* bias, std::int64_t channels,
                      float* const* places) {
    if (points == Points::four)
        output_of_all<FourPoints>(values, plane, bias, channels, places);
    else
        output_of_all<ThreePoints>(values, plane, bias, channels, places);
}

#if defined(__x86_64__) && defined(__GNUC__)

namespace {

template <int lanes>
struct VectorOf {
    typedef float type __attribute__((vector_size(lanes * sizeof(float))));
    typedef float unaligned __attribute__((vector_size(lanes * sizeof(float)), aligned(sizeof(float))));
};

/// `rows` rows and 2 `lanes` columns of the result stay in registers. Five pointers and two strides reach 14 rows: so
/// many has x86.
template <int lanes, int rows>
KINESCOPE_INLINE void multiply_rows(const Product& product) {
    using Vector = typename VectorOf<lanes>::type;
    using Unaligned = typename VectorOf<lanes>::unaligned;
    const std::int64_t stride = product.a_stride;
    const float *a = product.a, *a3 = a + 3 * stride, *a6 = a + 6 * stride, *a9 = a + 9 * stride,
                *a12 = a + 12 * stride;
    const float *b = product.b, *const end = b + product.depth * kStrip;
    Vector sum[rows][2];
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
        sum[r][0] = sum[r][1] = Vector{};
        if (product.sum == Sum::begins) continue;
        const float* const c = product.c + r * product.c_stride;
        sum[r][0] = *reinterpret_cast<const Unaligned*>(c);
        sum[r][1] = *reinterpret_cast<const Unaligned*>(c + lanes);
    }
    for (; b != end; b += kStrip, ++a, ++a3, ++a6, ++a9, ++a12) {
        const Vector left = *reinterpret_cast<const Unaligned*>(b);
        const Vector right = *reinterpret_cast<const Unaligned*>(b + lanes);
#pragma GCC unroll 16
        for (int r = 0; r < rows; ++r) {
            const float* row = r < 3 ? a : r < 6 ? a3 : r < 9 ? a6 : r < 12 ? a9 : a12;
            const float x = row[(r % 3) * stride];
            sum[r][0] += x * left;
            sum[r][1] += x * right;
        }
    }
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
    for (std::int64_t column = 0; column < kStrip; column += 16) {
        Product half = product;
        half.b += column;
        half.c += column;
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

/// By the number of rows, less one. As many as registers hold: 28 of 32, and 12 of 16.
constexpr auto kAvx512 = avx512_table(std::make_integer_sequence<int, 14>());
constexpr auto kAvx2 = avx2_table(std::make_integer_sequence<int, 6>());

/// In parts of almost the same number of rows.
template <std::size_t most>
void multiply_by(const std::array<Multiply, most>& table, Product product) {
    const auto rows = product.rows;
    const auto parts = (rows + static_cast<std::int64_t>(most) - 1) / static_cast<std::int64_t>(most);
    for (std::int64_t i = 0; i < parts; ++i) {
        product.rows = (rows * (i + 1)) / parts - (rows * i) / parts;
        table[static_cast<std::size_t>(product.rows) - 1](product);
        product.a += product.rows * product.a_stride;
        product.c += product.rows * product.c_stride;
    }
}

}  // namespace

bool is_supported() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

void multiply(const Product& product) {
    static const bool is_wide = __builtin_cpu_supports("avx512f");
    if (is_wide)
        multiply_by(kAvx512, product);
    else
        multiply_by(kAvx2, product);
}

#else

bool is_supported() {
    return false;
}

void multiply(const Product&) {}

#endif

}  // namespace kinescope::winograd
