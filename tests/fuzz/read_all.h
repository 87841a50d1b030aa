#pragma once

#include "core/weights/checkpoint_reader.h"

namespace kinescope::fuzz {

/// Reads and dequantizes every value of every tensor, as when a model is loaded. Aborts if a tensor is larger than
/// `file_bytes`.
void read_all(const CheckpointReader& reader, std::size_t file_bytes);

}  // namespace kinescope::fuzz
