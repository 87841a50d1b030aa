#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope::gemm_kernel {

/// The rows of a weight [columns, depth] that become the columns of a packed panel. `stride` is in elements.
template <class T>
struct WeightRows {
    const T* first = nullptr;
    std::int64_t stride = 0;
    std::int64_t count = 0;  ///< at most kPanelColumns
    std::int64_t depth = 0;
};

/// Packs the rows as float32 [depth, kPanelColumns], with zeros in missing columns. `to` must have room for a depth
/// that is rounded up to a multiple of kLanes.
void pack(const WeightRows<float>& rows, float* to);
void pack(const WeightRows<at::BFloat16>& rows, float* to);
void pack(const WeightRows<at::Half>& rows, float* to);

}  // namespace kinescope::gemm_kernel
