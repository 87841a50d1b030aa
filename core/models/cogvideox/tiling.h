#pragma once

#include "core/models/cogvideox/config.h"
#include "core/models/tiling.h"

namespace kinescope::cogvideox {

/// Returns the decoder's tiles along (rows, columns): half of the native size each, overlapping by a sixth and a fifth.
std::array<TileAxis, 2> decoder_tiles(const VaeConfig& config);

}  // namespace kinescope::cogvideox
