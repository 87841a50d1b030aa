#include "core/models/cogvideox/position_embedding.h"

#include <ATen/ATen.h>

#include <cmath>

namespace kinescope::cogvideox {

namespace {

constexpr double kTheta = 10000.0;

/// Returns the rotation angles [positions, channels / 2], computed in float32 like the reference.
Tensor rotary_angles(const Tensor& positions, std::int64_t channels) {
    const auto exponents = at::arange(0, channels, 2, at::kFloat) / channels;
    return at::outer(positions, at::pow(kTheta, exponents).reciprocal());
}

/// Returns [sin | cos] of each position, float64 [positions, channels].
Tensor sin_cos(const Tensor& positions, std::int64_t channels) {
    const auto exponents = at::arange(channels / 2, at::kDouble) / (static_cast<double>(channels) / 2.0);
    const auto angles = at::outer(positions.to(at::kDouble), at::pow(kTheta, exponents).reciprocal());
    return at::cat({angles.sin(), angles.cos()}, 1);
}

/// Concatenates the tables of the three axes, each [axis length, channels], for each token of the grid.
Tensor combine(const TokenGrid& grid, const std::array<Tensor, 3>& axes) {
    const auto [frames, rows, columns] = grid;
    const auto spread = [&](const Tensor& table, std::array<std::int64_t, 3> place) {
        return table.view({place[0], place[1], place[2], -1}).expand({frames, rows, columns, -1});
    };
    return at::cat({spread(axes[0], {frames, 1, 1}), spread(axes[1], {1, rows, 1}), spread(axes[2], {1, 1, columns})},
                   -1)
        .flatten(0, 2);
}

Tensor indices(std::int64_t count) {
    return at::arange(count, at::kFloat);
}

struct Places {
    Tensor rows;
    Tensor columns;
};

Places rotary_places(const TransformerConfig& config, const TokenGrid& grid) {
    if (config.patch_size_t > 0) return {indices(grid[1]), indices(grid[2])};
    const auto native = config.native_grid();
    const auto ranges = crop_ranges({grid[1], grid[2]}, {native[1], native[2]});
    return {at::linspace(ranges[0].first, ranges[0].last, grid[1], at::kFloat),
            at::linspace(ranges[1].first, ranges[1].last, grid[2], at::kFloat)};
}

}  // namespace

std::array<CropRange, 2> crop_ranges(const std::array<std::int64_t, 2>& grid,
                                     const std::array<std::int64_t, 2>& native) {
    const auto scaled = [](std::int64_t target, std::int64_t of, std::int64_t size) {
        return std::nearbyint(static_cast<double>(target) / static_cast<double>(of) * static_cast<double>(size));
    };
    const auto ratio = [](const std::array<std::int64_t, 2>& shape) {
        return static_cast<double>(shape[0]) / static_cast<double>(shape[1]);
    };
    const bool is_taller = ratio(grid) > ratio(native);
    const std::array<double, 2> covered =
        is_taller ? std::array{static_cast<double>(native[0]), scaled(native[0], grid[0], grid[1])}
                  : std::array{scaled(native[1], grid[1], grid[0]), static_cast<double>(native[1])};
    std::array<CropRange, 2> ranges;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const auto count = static_cast<double>(grid[axis]);
        const double first = std::nearbyint((static_cast<double>(native[axis]) - covered[axis]) / 2.0);
        ranges[axis] = {first, (first + covered[axis]) * (count - 1.0) / count};
    }
    return ranges;
}

Tensor rotary_table(const TransformerConfig& config, const TokenLayout& layout) {
    const auto eighth = config.attention_head_dim / 8;
    const auto places = rotary_places(config, layout.grid);
    const auto video =
        combine(layout.grid, {rotary_angles(indices(layout.grid[0]), 2 * eighth),
                              rotary_angles(places.rows, 3 * eighth), rotary_angles(places.columns, 3 * eighth)});
    const auto angles = at::cat({at::zeros({layout.text, video.size(1)}), video});
    return at::complex(angles.cos(), angles.sin());
}

Tensor sin_cos_table(const TransformerConfig& config, const TokenLayout& layout) {
    const auto eighth = config.dim() / 8;
    const auto spatial = [&](std::int64_t count) {
        return sin_cos(indices(count) / config.spatial_interpolation_scale, 3 * eighth);
    };
    const auto frames = sin_cos(indices(layout.grid[0]) / config.temporal_interpolation_scale, 2 * eighth);
    // In the channels of a token, columns come before rows.
    const auto [f, rows, columns] = layout.grid;
    const auto frames_columns_rows = combine({f, columns, rows}, {frames, spatial(columns), spatial(rows)});
    const auto video = frames_columns_rows.view({f, columns, rows, -1}).transpose(1, 2).flatten(0, 2).to(at::kFloat);
    return at::cat({at::zeros({layout.text, config.dim()}), video}).unsqueeze(0);
}

}  // namespace kinescope::cogvideox
