#include "core/nn/cpu/row_kernels.h"

#include <cmath>

#include "core/base/cpu_vectors.h"
#include "core/device/cpu_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/nn/cpu/row_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinescope::row_kernels::HWY_NAMESPACE {

namespace {

using HalfLanes = float __attribute__((vector_size(kLanes / 2 * sizeof(float))));
using DoubleLanes = double __attribute__((vector_size(kLanes / 2 * sizeof(double))));

[[gnu::always_inline]] inline double sum_of(const FloatLanes& lanes) {
    const HalfLanes low = __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3, 4, 5, 6, 7);
    const HalfLanes high = __builtin_shufflevector(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15);
    DoubleLanes sum = __builtin_convertvector(low, DoubleLanes) + __builtin_convertvector(high, DoubleLanes);
    sum += __builtin_shufflevector(sum, sum, 4, 5, 6, 7, 0, 1, 2, 3);
    sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1, 6, 7, 4, 5);
    sum += __builtin_shufflevector(sum, sum, 1, 0, 3, 2, 5, 4, 7, 6);
    return sum[0];
}

void layer_norm(const float* x, std::int64_t rows, std::int64_t dim, float eps, const float* factor,
                const float* offset, float* y) {
    for (std::int64_t row = 0; row < rows; ++row, x += dim, y += dim) {
        FloatLanes value, sum = {}, squares = {};
        for (std::int64_t i = 0; i < dim; i += kLanes) {
            load_lanes(value, x + i, dim - i);
            sum += value;
        }
        const auto mean = static_cast<float>(sum_of(sum) / static_cast<double>(dim));
        const std::int64_t whole = dim / kLanes * kLanes;
        for (std::int64_t i = 0; i < whole; i += kLanes) {
            load_lanes(value, x + i, kLanes);
            value -= mean;
            squares += value * value;
        }
        double variance = sum_of(squares);
        for (std::int64_t i = whole; i < dim; ++i) variance += static_cast<double>((x[i] - mean) * (x[i] - mean));
        const auto rstd =
            static_cast<float>(1.0 / std::sqrt(variance / static_cast<double>(dim) + static_cast<double>(eps)));
        for (std::int64_t i = 0; i < dim; i += kLanes) {
            FloatLanes of_column, summand;
            load_lanes(value, x + i, dim - i);
            load_lanes(of_column, factor + i, dim - i);
            load_lanes(summand, offset + i, dim - i);
            value = (value - mean) * rstd * of_column + summand;
            store_lanes(y + i, value, dim - i);
        }
    }
}

void rms_norm(const float* x, std::int64_t rows, std::int64_t dim, float eps, const float* factor, float* y) {
    for (std::int64_t row = 0; row < rows; ++row, x += dim, y += dim) {
        FloatLanes value, of_column, squares = {};
        for (std::int64_t i = 0; i < dim; i += kLanes) {
            load_lanes(value, x + i, dim - i);
            squares += value * value;
        }
        const auto reciprocal =
            static_cast<float>(1.0 / std::sqrt(sum_of(squares) / static_cast<double>(dim) + static_cast<double>(eps)));
        for (std::int64_t i = 0; i < dim; i += kLanes) {
            load_lanes(value, x + i, dim - i);
            load_lanes(of_column, factor + i, dim - i);
            value = value * reciprocal * of_column;
            store_lanes(y + i, value, dim - i);
        }
    }
}

void add_gated(const float* x, const float* update, std::int64_t rows, std::int64_t dim, const float* gate, float* y) {
    for (std::int64_t row = 0; row < rows; ++row, x += dim, update += dim, y += dim)
        for (std::int64_t i = 0; i < dim; i += kLanes) {
            FloatLanes value, change, of_column;
            load_lanes(value, x + i, dim - i);
            load_lanes(change, update + i, dim - i);
            load_lanes(of_column, gate + i, dim - i);
            value += change * of_column;
            store_lanes(y + i, value, dim - i);
        }
}

}  // namespace
}  // namespace kinescope::row_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::row_kernels {

HWY_EXPORT(layer_norm);
void layer_norm(const float* x, std::int64_t rows, std::int64_t dim, float eps, const float* factor,
                const float* offset, float* y) {
    HWY_DYNAMIC_DISPATCH(layer_norm)(x, rows, dim, eps, factor, offset, y);
}

HWY_EXPORT(rms_norm);
void rms_norm(const float* x, std::int64_t rows, std::int64_t dim, float eps, const float* factor, float* y) {
    HWY_DYNAMIC_DISPATCH(rms_norm)(x, rows, dim, eps, factor, y);
}

HWY_EXPORT(add_gated);
void add_gated(const float* x, const float* update, std::int64_t rows, std::int64_t dim, const float* gate, float* y) {
    HWY_DYNAMIC_DISPATCH(add_gated)(x, update, rows, dim, gate, y);
}

}  // namespace kinescope::row_kernels

#endif
