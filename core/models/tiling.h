#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// Tiles along one axis.
struct TileAxis {
    std::int64_t size = 0;    ///< of a tile, in what goes in (latents for the decoder)
    std::int64_t stride = 0;  ///< from one tile to the next, likewise
    std::int64_t blend = 0;   ///< of a tile's result that is blended with the tile before (pixels for the decoder)
    std::int64_t keep = 0;    ///< of a tile's result that is kept
};

/// Whether a picture is larger than one tile.
bool needs_tiles(const std::array<TileAxis, 2>& axes, std::int64_t rows, std::int64_t columns);

/// A tile's place in what goes in; the last of a row or column may be smaller than the others.
struct Tile {
    std::array<std::int64_t, 2> begin = {0, 0};
    std::array<std::int64_t, 2> size = {0, 0};
};
/// Row by row.
std::vector<std::vector<Tile>> tile_grid(const std::array<TileAxis, 2>& axes, std::int64_t rows, std::int64_t columns);

/// Joins the results [T, H, W, C] of a grid of tiles. Each is blended into the one above and then into the one to its
/// left, in place, so that blended edges are what the next tile sees.
Tensor join_tiles(const std::array<TileAxis, 2>& axes, std::vector<std::vector<Tensor>> tiles);

}  // namespace kinescope
