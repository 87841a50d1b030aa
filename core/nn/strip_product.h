#pragma once

#include <cstdint>

/// Products of plain float32 memory, a strip of columns at a time: the inner loop of convolutions and of linear layers.
namespace kinescope::strip_product {

/// Columns of b, which lie side by side: [depth, kStrip].
inline constexpr std::int64_t kStrip = 32;

/// Whether this CPU has the vectors that the loops are written for. Without them `multiply` may not be called.
bool is_supported();
/// Whether it has AVX-512, with which they come near to all that the CPU can do.
bool is_wide();

/// Whether c is what a sum begins with.
enum class Sum { begins, goes_on };

/// c = a b + offset or c + a b, row by row: [rows, depth] x [depth, kStrip]. Every sum is taken one product after
/// another, so that its parts may be taken by several calls.
struct Product {
    const float* a = nullptr;
    std::int64_t a_stride = 0;
    std::int64_t rows = 0;  ///< one at least
    const float* b = nullptr;
    std::int64_t depth = 0;
    float* c = nullptr;
    std::int64_t c_stride = 0;
    Sum sum = Sum::begins;
    const float* offset = nullptr;  ///< kStrip numbers, one of each column, for a sum that begins; none: zeros
    /// What comes after this product, to be fetched into the cache meanwhile; none: nothing is known.
    float* next_c = nullptr;        ///< as many rows, as far apart
    const float* next_a = nullptr;  ///< the first of fetched_rows(rows) rows, as far apart as those of a
};
/// Rows of the next a that a product of so many rows fetches.
std::int64_t fetched_rows(std::int64_t rows);
void multiply(const Product& product);

}  // namespace kinescope::strip_product
