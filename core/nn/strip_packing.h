#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope::strip_product {

/// Rows of a weight [columns, depth] that become the columns of a product's b; `stride` numbers from one to the next.
template <class T>
struct WeightRows {
    const T* first = nullptr;
    std::int64_t stride = 0;
    std::int64_t count = 0;  ///< at most kStrip
    std::int64_t depth = 0;
};

/// As float32 [depth, kStrip], zeros in the columns that there are not. `to` has room for a depth of whole kLanes.
/// Only where is_wide().
void pack(const WeightRows<float>& rows, float* to);
void pack(const WeightRows<at::BFloat16>& rows, float* to);
void pack(const WeightRows<at::Half>& rows, float* to);

}  // namespace kinescope::strip_product
