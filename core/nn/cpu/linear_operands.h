#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/round_up.h"
#include "core/nn/cpu/gemm_kernel.h"
#include "core/nn/cpu/gemm_packing.h"

namespace kinescope {

/// The operands of y = x W^T + b or y += x W^T. Strides are in elements. T is the type of the weight.
template <class T>
struct LinearOperands {
    const float* x;
    std::int64_t x_stride, rows, in, out;
    const T* weight;
    std::int64_t weight_stride;
    const float* offsets;  ///< padded to whole panels; null if there are none
    float* y;
    float* tail;  ///< [rows, kPanelColumns]: results of the last, incomplete panel
    gemm_kernel::Sum sum;

    std::int64_t panels() const { return count_parts(out, gemm_kernel::kPanelColumns); }
    bool is_whole(std::int64_t panel) const { return (panel + 1) * gemm_kernel::kPanelColumns <= out; }

    /// Returns the results of a panel, starting with a row, and the distance between rows.
    float* results(std::int64_t row, std::int64_t panel) const {
        return is_whole(panel) ? y + row * out + panel * gemm_kernel::kPanelColumns
                               : tail + row * gemm_kernel::kPanelColumns;
    }
    std::int64_t result_stride(std::int64_t panel) const { return is_whole(panel) ? out : gemm_kernel::kPanelColumns; }
    const float* offset(std::int64_t panel) const {
        return offsets != nullptr ? offsets + panel * gemm_kernel::kPanelColumns : nullptr;
    }
    /// Returns `depth` elements of the rows of the weight that are the columns of a panel.
    gemm_kernel::WeightRows<T> weight_rows(std::int64_t panel, std::int64_t from, std::int64_t depth) const {
        const auto column = panel * gemm_kernel::kPanelColumns;
        return {.first = weight + column * weight_stride + from,
                .stride = weight_stride,
                .count = std::min(gemm_kernel::kPanelColumns, out - column),
                .depth = depth};
    }
};

}  // namespace kinescope
