#include "core/models/tiling.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace kinescope {

namespace {

/// Fades from the last `extent` elements of `before` along `axis` to the first elements of `tile`. Changes `tile` in
/// place.
void blend(const Tensor& before, const Tensor& tile, std::int64_t axis, std::int64_t extent) {
    extent = std::min({before.size(axis), tile.size(axis), extent});
    if (extent == 0) return;
    auto shape = std::vector<std::int64_t>(4, 1);
    shape[static_cast<std::size_t>(axis)] = extent;
    const auto weight = (at::arange(extent, tile.options()) / extent).view(shape);
    auto edge = tile.narrow(axis, 0, extent);
    edge.copy_(before.narrow(axis, before.size(axis) - extent, extent) * (1.0 - weight) + edge * weight);
}

}  // namespace

bool needs_tiles(const std::array<TileAxis, 2>& axes, std::int64_t rows, std::int64_t columns) {
    return rows > axes[0].size || columns > axes[1].size;
}

std::vector<std::vector<Tile>> tile_grid(const std::array<TileAxis, 2>& axes, std::int64_t rows, std::int64_t columns) {
    std::vector<std::vector<Tile>> grid;
    for (std::int64_t row = 0; row < rows; row += axes[0].stride) {
        grid.emplace_back();
        for (std::int64_t column = 0; column < columns; column += axes[1].stride)
            grid.back().push_back(
                {{row, column}, {std::min(axes[0].size, rows - row), std::min(axes[1].size, columns - column)}});
    }
    return grid;
}

Tensor join_tiles(const std::array<TileAxis, 2>& axes, std::vector<std::vector<Tensor>> tiles) {
    std::vector<Tensor> rows;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        std::vector<Tensor> row;
        for (std::size_t j = 0; j < tiles[i].size(); ++j) {
            const auto& tile = tiles[i][j];
            if (i > 0) blend(tiles[i - 1][j], tile, 1, axes[0].blend);
            if (j > 0) blend(tiles[i][j - 1], tile, 2, axes[1].blend);
            row.push_back(tile.slice(1, 0, axes[0].keep).slice(2, 0, axes[1].keep));
        }
        rows.push_back(at::cat(row, 2));
    }
    return at::cat(rows, 1);
}

}  // namespace kinescope
