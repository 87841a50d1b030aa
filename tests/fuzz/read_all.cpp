#include "tests/fuzz/read_all.h"

#include <ATen/ATen.h>

#include <cstdlib>

#include "core/weights/stored_weight.h"

namespace kinescope::fuzz {

namespace {

constexpr int kMaxTensors = 64;  // per file; more tensors would not reach other code

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

void read_all(const CheckpointReader& reader, std::size_t file_bytes) {
    int count = 0;
    for (const auto& entry : reader.entries()) {
        if (++count > kMaxTensors) break;
        require(entry.bytes >= 0 && static_cast<std::size_t>(entry.bytes) <= file_bytes);
        const auto weight = read_stored(reader, entry);
        const auto expected = is_quantized(entry) ? weight.dequantize(at::kFloat) : weight.data.clone();
        require(expected.sizes().vec() == entry.shape && expected.numel() == entry.numel());
        find_damage(weight);
    }
}

}  // namespace kinescope::fuzz
