#pragma once

#include <cstdint>

/// Float32 matrix products in row-major memory, one panel of columns at a time: the inner loop of convolutions and
/// linear layers.
namespace kinescope::gemm_kernel {

/// The number of columns of a packed panel of b. A panel has the layout [depth, kPanelColumns].
inline constexpr std::int64_t kPanelColumns = 32;

/// Returns true if cpu_level() is at least AVX2. On other processors, LibTorch's kernels are faster.
bool is_supported();
/// Returns the number of rows of a that the registers hold together. A product with a multiple of it is fastest.
std::int64_t most_rows_of_tile();

/// Whether a product overwrites c or is added to it.
enum class Sum { overwrite, accumulate };

/// The operands of c = a b + offset or c += a b, with sizes [rows, depth] x [depth, kPanelColumns]. Each sum adds its
/// products in order, so that another call can continue it.
struct Product {
    const float* a = nullptr;
    std::int64_t a_stride = 0;
    std::int64_t rows = 0;  ///< at least 1
    const float* b = nullptr;
    std::int64_t depth = 0;
    float* c = nullptr;
    std::int64_t c_stride = 0;
    Sum sum = Sum::overwrite;
    const float* offset = nullptr;  ///< kPanelColumns values, one per column, used with Sum::overwrite; null for zeros
    /// Memory to prefetch for the next product. Null if unknown.
    float* next_c = nullptr;        ///< same number of rows and same stride as c
    const float* next_a = nullptr;  ///< the first of fetched_rows(rows) rows with the stride of a
};
/// Returns the number of rows of the next `a` that a product of `rows` rows prefetches.
std::int64_t fetched_rows(std::int64_t rows);
void multiply(const Product& product);

}  // namespace kinescope::gemm_kernel
