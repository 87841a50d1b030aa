#include "core/models/ltx/position_embedding.h"

#include <ATen/ATen.h>

#include <array>
#include <numbers>

namespace kinescope::ltx {

namespace {

constexpr double kTheta = 10000.0;
/// Divisors of the coordinates: seconds, rows and columns.
constexpr std::array<double, 3> kExtents = {20.0, 2048.0, 2048.0};

/// Returns the index of each token along each axis, [3, frames, rows, columns].
Tensor token_indices(const TokenGrid& grid) {
    const auto axis = [](std::int64_t count) { return at::arange(count, at::kFloat); };
    return at::stack(at::meshgrid({axis(grid[0]), axis(grid[1]), axis(grid[2])}, "ij"));
}

Tensor flattened(const Tensor& coordinates) {
    return coordinates.flatten(1).unsqueeze(0).contiguous();
}

}  // namespace

Tensor even_coordinates(const TokenGrid& grid, const VaeConfig& vae, double fps) {
    auto coordinates = token_indices(grid);
    coordinates[0].mul_(static_cast<double>(vae.temporal_compression) / fps);
    coordinates.slice(0, 1).mul_(vae.spatial_compression);
    return flattened(coordinates);
}

Tensor causal_coordinates(const TokenGrid& grid, const VaeConfig& vae, double fps, std::int64_t first_frame) {
    auto coordinates = token_indices(grid);
    coordinates[0]
        .mul_(vae.temporal_compression)
        .add_(1 - vae.temporal_compression)
        .clamp_min_(0)
        .add_(first_frame)
        .mul_(1.0 / fps);
    coordinates.slice(0, 1).mul_(vae.spatial_compression);
    return flattened(coordinates);
}

Tensor rotary_table(const Tensor& coordinates, std::int64_t dim) {
    std::vector<Tensor> axes;
    for (std::int64_t axis = 0; axis < 3; ++axis)
        axes.push_back(coordinates[0][axis] / kExtents[static_cast<std::size_t>(axis)]);
    const auto positions = at::stack(axes, -1);  // [tokens, 3]
    const auto exponents = at::linspace(0.0, 1.0, dim / 6, at::kFloat);
    const auto frequencies = at::pow(kTheta, exponents) * std::numbers::pi / 2.0;
    const auto angles = (frequencies * (positions.unsqueeze(-1) * 2 - 1)).transpose(-1, -2).flatten(1);
    const auto still = at::zeros({angles.size(0), dim / 2 - angles.size(1)}, at::kFloat);
    return at::complex(at::cat({at::ones_like(still), angles.cos()}, 1), at::cat({still, angles.sin()}, 1));
}

}  // namespace kinescope::ltx
