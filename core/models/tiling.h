#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// The layout of tiles along one axis.
struct TileAxis {
    std::int64_t size = 0;    ///< of a tile of the input (latents for the decoder)
    std::int64_t stride = 0;  ///< distance between tiles of the input
    std::int64_t blend = 0;   ///< length of a result that is blended with the previous result (pixels for the decoder)
    std::int64_t keep = 0;    ///< length of a result that is kept
};

/// Returns true if an input of `rows` x `columns` is larger than one tile.
bool needs_tiles(const std::array<TileAxis, 2>& axes, std::int64_t rows, std::int64_t columns);

/// Position and size of a tile in the input, along (rows, columns). The last tile of a row or column may be smaller.
struct Tile {
    std::array<std::int64_t, 2> begin = {0, 0};
    std::array<std::int64_t, 2> size = {0, 0};
};
/// Returns the tiles of an input, row by row.
std::vector<std::vector<Tile>> tile_grid(const std::array<TileAxis, 2>& axes, std::int64_t rows, std::int64_t columns);

/// Joins the results [T, H, W, C] of a grid of tiles. Blends each tile with the one above, then with the one to its
/// left. Changes the results in place, so that the next tile is blended with edges that are already blended.
Tensor join_tiles(const std::array<TileAxis, 2>& axes, std::vector<std::vector<Tensor>> tiles);

}  // namespace kinescope
