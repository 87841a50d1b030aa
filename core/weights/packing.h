#pragma once

#include <cstdint>
#include <string>

namespace kinescope {

/// Quantized GGUF formats, which store several values in a block of bytes. `none`: values are stored one by one.
enum class Packing { none, q4_0, q4_1, q5_0, q5_1, q8_0, q4_k, q5_k, q6_k };

struct BlockSize {
    std::int64_t numbers = 1;
    std::int64_t bytes = 1;
};

/// Returns the number of values and of bytes in a block; 1 and 1 for none.
BlockSize block_size(Packing packing);

/// Returns "gguf q4_k", ...; empty for none.
std::string packing_name(Packing packing);

}  // namespace kinescope
