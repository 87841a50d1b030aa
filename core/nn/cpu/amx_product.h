#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/round_up.h"

/// Float32 matrix products with AMX's instructions for bfloat16. Each float32 operand is the sum of three bfloat16
/// values, its parts. Six of the nine products of parts are added, in float32; the other three are smaller than the
/// rounding of float32 (Henry, Tang & Heinecke 2019, arXiv:1904.06376). The errors are those of float32 products if the
/// magnitudes of operands and of products are at least 2e-31, because AMX replaces denormal parts and products of parts
/// by zero: smaller ones lose digits. Sums with an operand that is infinite, NaN or larger than 3.38e38 become NaN.
namespace kinescope::amx_product {

/// Returns true if cpu_level() is AMX and the CPU computes its products correctly, which the first call in this process
/// tests. Logs a warning if they are wrong.
bool is_usable();

/// Sizes of a product: a block of rows times a panel of columns. Operands are divided into steps along the depth.
inline constexpr std::int64_t kRows = 32, kColumns = 32, kStep = 32;

/// The number of bfloat16 parts whose sum is exactly a number of the panel: one for bfloat16, two for float16 and three
/// for float32.
enum class Parts { one = 1, two = 2, three = 3 };

/// Split rows have the layout [steps, parts, rows, kStep] in bfloat16. A plane is the memory of one part of one step.
/// Planes may have more rows than a block, so that a block can start at any row. All addresses of split operands are
/// multiples of kRowBytes.
inline constexpr std::int64_t kRowBytes = 64, kPartsOfRows = 3;
inline constexpr std::int64_t kBlockPlane = kRows * kRowBytes;
/// Returns the number of steps of a depth. The last step is padded with zeros.
constexpr std::int64_t steps_of(std::int64_t depth) {
    return count_parts(depth, kStep);
}
constexpr std::int64_t bytes_of_rows(std::int64_t depth, std::int64_t plane) {
    return steps_of(depth) * kPartsOfRows * plane;
}
constexpr std::int64_t bytes_of_panel(std::int64_t depth, Parts parts) {
    return steps_of(depth) * static_cast<std::int64_t>(parts) * kStep * kColumns * 2;
}

/// Rows of float32 numbers. `stride` is in elements.
struct Rows {
    const float* first = nullptr;
    std::int64_t stride = 0;
    std::int64_t count = 0;
    std::int64_t depth = 0;
};

/// Splits rows into parts. `plane` is the distance between planes in bytes.
void split_rows(const Rows& rows, std::byte* to, std::int64_t plane);

/// Splits a panel [depth, kColumns] into parts. `to` has bytes_of_panel(depth, parts) bytes.
void split_panel(const float* panel, std::int64_t depth, Parts parts, std::byte* to);

/// Configures the tile registers of this thread, which multiply() uses. A thread has at most one such object. Other
/// libraries may configure the registers, too, but not during its lifetime.
class TileRegisters {
public:
    TileRegisters();
    ~TileRegisters();
    TileRegisters(const TileRegisters&) = delete;
    TileRegisters& operator=(const TileRegisters&) = delete;
};

/// The operands of c = start + a b. The order of the sums depends on the depth alone.
struct Product {
    const std::byte* a = nullptr;  ///< the result of split_rows, which must have kRows rows of memory
    std::int64_t plane = kBlockPlane;
    std::int64_t rows = 0;         ///< 1 to kRows
    const std::byte* b = nullptr;  ///< the result of split_panel
    Parts parts = Parts::three;    ///< of b
    std::int64_t depth = 0;
    float* c = nullptr;
    std::int64_t c_stride = 0;
    const float* start = nullptr;  ///< may be c; null for zeros
    std::int64_t start_stride = 0;
};
void multiply(const Product& product);

}  // namespace kinescope::amx_product
