#pragma once

#include <cstdint>

#include "core/base/cpu_vectors.h"
#include "core/base/round_up.h"
#include "core/device/tensor.h"
#include "core/nn/cpu/gemm_kernel.h"

/// The inner loops of core/nn/cpu/winograd.h in contiguous memory. Channels are padded with zeros to multiples of
/// kLanes.
namespace kinescope::winograd {

using gemm_kernel::kPanelColumns;
using gemm_kernel::Sum;

/// The number of inputs, and of transformed values, along one side of a patch: four for two results, or three if the
/// image is upsampled by 2, because neighboring inputs are then equal.
enum class Points : std::int64_t { four = 4, three = 3 };

inline constexpr std::int64_t count(Points points) {
    return static_cast<std::int64_t>(points);
}

/// Transforms a patch. `places` are its count(points)^2 pixels of `channels` floats, row by row. Writes the same number
/// of transformed values, each of round_up(channels, kLanes) floats, `plane` floats apart.
void transform_input(Points points, const float* const* places, std::int64_t channels, float* values,
                     std::int64_t plane);

/// The filters [outs, ins, 3, 3] of at most kLanes output channels. Each filter is contiguous. Strides are in elements.
template <class T>
struct Filters {
    const T* weight = nullptr;
    std::int64_t out_stride = 0;
    std::int64_t in_stride = 0;
    std::int64_t outs = 0;
    std::int64_t ins = 0;
    std::int64_t readable = 0;  ///< number of elements from `weight` to the end of its memory
};
/// Transforms filters in float32. Writes kLanes floats per input channel, kPanelColumns floats apart, for each of
/// count(points)^2 values, `plane` floats apart. Writes zeros for missing channels up to round_up(ins, kLanes).
void transform_weight(Points points, const Filters<float>& filters, float* values, std::int64_t plane);
void transform_weight(Points points, const Filters<at::BFloat16>& filters, float* values, std::int64_t plane);
void transform_weight(Points points, const Filters<at::Half>& filters, float* values, std::int64_t plane);

/// Transforms a product to results: writes `channels` floats to each of the four `places`, row by row. `bias` has
/// round_up(channels, kLanes) floats.
void transform_output(Points points, const float* values, std::int64_t plane, const float* bias, std::int64_t channels,
                      float* const* places);

}  // namespace kinescope::winograd
