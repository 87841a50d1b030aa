#pragma once

#include <cstdint>
#include <string>

namespace kinescope {

/// How several numbers share a block of bytes: the quantised types of GGUF. `none`: one number after the other.
enum class Packing { none, q4_0, q4_1, q5_0, q5_1, q8_0, q4_k, q5_k, q6_k };

struct BlockSize {
    std::int64_t numbers = 1;
    std::int64_t bytes = 1;
};

/// Of a packing other than none.
BlockSize block_size(Packing packing);

/// "gguf q4_k" ...; empty for none.
std::string packing_name(Packing packing);

}  // namespace kinescope
