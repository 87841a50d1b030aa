#pragma once

#include <cstdint>

#include "core/nn/cpu/gemm_kernel.h"

/// The inner loops of int8_linear().
namespace kinescope::int8_kernels {

struct RowFacts {
    float largest;  ///< largest |x|; NaN if the row contains NaN
    float typical;  ///< root mean square
};
RowFacts inspect(const float* row, std::int64_t size);

/// Rounds row * factor to the nearest integers. The results for NaN are arbitrary.
void round_row(const float* row, std::int64_t size, float factor, std::int8_t* to);
void round_row(const float* row, std::int64_t size, float factor, std::int16_t* to);

/// Converts int32 sums to float32 results sums * row_scale * column_scale + bias in place. `bias` may be null.
void rescale_row(std::int32_t* row, std::int64_t size, float row_scale, const float* column_scale, const float* bias);

using gemm_kernel::kPanelColumns;
using gemm_kernel::Sum;

/// A multiple of the depth for which pack() needs memory.
inline constexpr std::int64_t kPackedDepth = 32;

/// The rows of a weight [columns, depth] that become the columns of a packed panel.
struct WeightRows {
    const std::int8_t* first = nullptr;
    std::int64_t stride = 0;
    std::int64_t count = 0;  ///< at most kPanelColumns
    std::int64_t depth = 0;
};
/// Packs the rows as int16 [round_up(depth, kPackedDepth) / 2, kPanelColumns, 2]: pairs of neighbors in a row of the
/// weight stay together. Missing columns and the padding of the depth become zero.
void pack(const WeightRows& rows, std::int16_t* to);

/// The operands of c = a b or c += a b, with sizes [rows, 2 pairs] x [2 pairs, columns]. Sums are exact if they fit
/// into int32. Products of pairs of int8 values always fit.
struct Product {
    const std::int16_t* a = nullptr;
    std::int64_t a_stride = 0;
    std::int64_t rows = 0;
    const std::int16_t* b = nullptr;  ///< from pack()
    std::int64_t pairs = 0;
    std::int32_t* c = nullptr;
    std::int64_t c_stride = 0;
    std::int64_t columns = 0;  ///< of c; at most kPanelColumns
    Sum sum = Sum::overwrite;
};
void multiply(const Product& product);

}  // namespace kinescope::int8_kernels
