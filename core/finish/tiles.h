#pragma once

#include <vector>

namespace kinescope {

/// A part of an axis, in pixels of the source.
struct TileSpan {
    int start = 0;
    int length = 0;
    bool operator==(const TileSpan&) const = default;
};

/// Returns the tiles of one axis: they start every `tile` - `overlap` pixels below `size` - `overlap`, and the last one
/// ends at `size` and may be shorter. One tile if `size` <= `tile`. Expects 0 <= overlap < tile and size >= 1.
std::vector<TileSpan> tiles_of(int size, int tile, int overlap);

/// Returns the weights of a tile's pixels along one axis: min(1, (distance to the nearer edge + 1) / `ramp`). `length`
/// and `ramp` in pixels of the result.
std::vector<float> tile_weights(int length, int ramp);

}  // namespace kinescope
