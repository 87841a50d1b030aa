#pragma once

#include "core/weights/checkpoint_reader.h"

namespace kinescope::fuzz {

/// Reads every number of every tensor, dequantised, as loading a model does. `file_bytes`: no tensor may claim more.
void read_all(const CheckpointReader& reader, std::size_t file_bytes);

}  // namespace kinescope::fuzz
