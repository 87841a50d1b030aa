#include "core/nn/cpu/byte_memory.h"

#include <ATen/ATen.h>

namespace kinescope {

Tensor allocate_bytes(std::int64_t count) {
    return at::empty({count}, at::kByte);
}

std::byte* bytes_of(const Tensor& memory) {
    return reinterpret_cast<std::byte*>(memory.mutable_data_ptr<std::uint8_t>());
}

}  // namespace kinescope
