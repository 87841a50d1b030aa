#include "core/nn/cpu/winograd_kernels.h"

#include <algorithm>
#include <cstring>

#include "core/base/cpu_vectors.h"
#include "core/device/cpu_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/nn/cpu/winograd_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Once per target, therefore after foreach_target.h.
#include "core/nn/cpu/wide_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace kinescope::winograd::HWY_NAMESPACE {

namespace {

using namespace kinescope::HWY_NAMESPACE;

using Floats = FloatLanes;

#define KINESCOPE_INLINE [[gnu::always_inline]] inline

KINESCOPE_INLINE void load(const float* from, Floats& value) {
    std::memcpy(&value, from, sizeof value);
}

KINESCOPE_INLINE void store(const Floats& value, float* to) {
    std::memcpy(to, &value, sizeof value);
}

/// F(2, 3): computes two results from four neighboring inputs `d` with four multiplications.
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

/// F(2, 3) for upsampled inputs a, b, b, c, of which only a, b, c are stored: the third product is always zero.
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

/// Transforms one vector of channels, starting at channel `first`.
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

constexpr std::int64_t kPlaces = 9;

/// Reads `rows` numbers at `offset` of each output channel into rows of kLanes output channels. Reads whole vectors if
/// the memory is long enough, even if their last numbers belong to other filters.
template <class T>
KINESCOPE_INLINE void turn(const Filters<T>& filters, std::int64_t offset, std::int64_t rows, float (*turned)[kLanes]) {
    for (std::int64_t first = 0; first < rows; first += kWidth)
        for (std::int64_t out = 0; out < kLanes; out += kWidth) {
            WideFloats columns[kWidth];
#pragma GCC unroll 16
            for (std::int64_t o = 0; o < kWidth; ++o) {
                const bool is_there = out + o < filters.outs;
                const auto begin = (is_there ? out + o : 0) * filters.out_stride + offset + first;
                load_wide(columns[o], filters.weight + begin, is_there ? filters.readable - begin : 0);
            }
            transpose_wide(columns);
            const auto count = std::min(kWidth, rows - first);
#pragma GCC unroll 16
            for (std::int64_t i = 0; i < kWidth; ++i)
                if (i < count) std::memcpy(turned[first + i] + out, &columns[i], sizeof columns[i]);
        }
}

/// Reads the filters of kLanes input channels, starting with channel `first`: [kLanes, kPlaces, kLanes].
template <class T>
KINESCOPE_INLINE void turn_channels(const Filters<T>& filters, std::int64_t first, float (*turned)[kLanes]) {
    const auto channels = std::min(kLanes, filters.ins - first);
    if (channels == kLanes && filters.in_stride == kPlaces) {
        turn(filters, first * kPlaces, kPlaces * kLanes, turned);
        return;
    }
    for (std::int64_t i = 0; i < channels; ++i)
        turn(filters, (first + i) * filters.in_stride, kPlaces, turned + i * kPlaces);
    std::memset(turned + channels * kPlaces, 0,
                static_cast<std::size_t>((kLanes - channels) * kPlaces) * sizeof *turned);
}

/// Transposes kLanes input channels at a time, so that output channels become contiguous.
template <class P, class T>
KINESCOPE_INLINE void weight_of_all(const Filters<T>& filters, float* values, std::int64_t plane) {
    float turned[kPlaces * kLanes][kLanes];
    for (std::int64_t first = 0; first < filters.ins; first += kLanes) {
        turn_channels(filters, first, turned);
        for (std::int64_t i = 0; i < kLanes; ++i)
            weight_of<P>(turned[i * kPlaces], kLanes, values + (first + i) * kPanelColumns, plane);
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

void transform_input(Points points, const float* const* places, std::int64_t channels, float* values,
                     std::int64_t plane) {
    if (points == Points::four)
        input_of_all<FourPoints>(places, channels, values, plane);
    else
        input_of_all<ThreePoints>(places, channels, values, plane);
}

template <class T>
KINESCOPE_INLINE void transform_filters(Points points, const Filters<T>& filters, float* values, std::int64_t plane) {
    if (points == Points::four)
        weight_of_all<FourPoints>(filters, values, plane);
    else
        weight_of_all<ThreePoints>(filters, values, plane);
}

void transform_float32(Points points, const Filters<float>& filters, float* values, std::int64_t plane) {
    transform_filters(points, filters, values, plane);
}

void transform_bfloat16(Points points, const Filters<at::BFloat16>& filters, float* values, std::int64_t plane) {
    transform_filters(points, filters, values, plane);
}

void transform_float16(Points points, const Filters<at::Half>& filters, float* values, std::int64_t plane) {
    transform_filters(points, filters, values, plane);
}

void transform_output(Points points, const float* values, std::int64_t plane, const float* bias, std::int64_t channels,
                      float* const* places) {
    if (points == Points::four)
        output_of_all<FourPoints>(values, plane, bias, channels, places);
    else
        output_of_all<ThreePoints>(values, plane, bias, channels, places);
}

}  // namespace
}  // namespace kinescope::winograd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::winograd {

HWY_EXPORT(transform_input);
void transform_input(Points points, const float* const* places, std::int64_t channels, float* values,
                     std::int64_t plane) {
    HWY_DYNAMIC_DISPATCH(transform_input)(points, places, channels, values, plane);
}

HWY_EXPORT(transform_float32);
void transform_weight(Points points, const Filters<float>& filters, float* values, std::int64_t plane) {
    HWY_DYNAMIC_DISPATCH(transform_float32)(points, filters, values, plane);
}

HWY_EXPORT(transform_bfloat16);
void transform_weight(Points points, const Filters<at::BFloat16>& filters, float* values, std::int64_t plane) {
    HWY_DYNAMIC_DISPATCH(transform_bfloat16)(points, filters, values, plane);
}

HWY_EXPORT(transform_float16);
void transform_weight(Points points, const Filters<at::Half>& filters, float* values, std::int64_t plane) {
    HWY_DYNAMIC_DISPATCH(transform_float16)(points, filters, values, plane);
}

HWY_EXPORT(transform_output);
void transform_output(Points points, const float* values, std::int64_t plane, const float* bias, std::int64_t channels,
                      float* const* places) {
    HWY_DYNAMIC_DISPATCH(transform_output)(points, values, plane, bias, channels, places);
}

}  // namespace kinescope::winograd

#endif
