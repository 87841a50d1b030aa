#pragma once

#include "core/weights/checkpoint_reader.h"

namespace kinescope::fuzz {

/// Reads and dequantizes every value of every tensor, like loading a model. No tensor may be larger than `file_bytes`.
void read_all(const CheckpointReader& reader, std::size_t file_bytes);

}  // namespace kinescope::fuzz
