#include "core/models/stepvideo/position_embedding.h"

#include <ATen/ATen.h>

#include <vector>

namespace kinescope::stepvideo {

namespace {

constexpr double kTheta = 10000.0;

/// Returns the angles [positions, channels / 2], rounded to `rounding`.
Tensor axis_angles(std::int64_t positions, std::int64_t channels, Dtype rounding) {
    const auto exponents = at::arange(0, channels, 2, at::kDouble) / static_cast<double>(channels);
    const auto angles = at::outer(at::arange(positions, at::kDouble), at::pow(kTheta, exponents).reciprocal());
    return angles.to(rounding).to(at::kDouble);
}

}  // namespace

RotaryTable rotary_table(const TokenGrid& grid, const std::array<std::int64_t, 3>& split, Dtype rounding) {
    const auto [frames, rows, columns] = grid;
    std::vector<Tensor> parts;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<std::int64_t> shape(4, 1);
        shape[axis] = grid[axis];
        shape[3] = split[axis] / 2;
        parts.push_back(
            axis_angles(grid[axis], split[axis], rounding).view(shape).expand({frames, rows, columns, shape[3]}));
    }
    const auto angles = at::cat(parts, -1).flatten(0, 2).unsqueeze(1);
    return {.cos = angles.cos().to(at::kFloat), .sin = angles.sin().to(at::kFloat), .split = split};
}

Tensor apply_rotary(const Tensor& x, const RotaryTable& table) {
    std::vector<Tensor> firsts, seconds;
    for (const auto& part : x.to(at::kFloat).split_with_sizes(table.split, -1)) {
        const auto halves = part.chunk(2, -1);
        firsts.push_back(halves[0]);
        seconds.push_back(halves[1]);
    }
    const auto first = at::cat(firsts, -1);
    const auto second = at::cat(seconds, -1);
    return at::cat({first * table.cos - second * table.sin, second * table.cos + first * table.sin}, -1);
}

}  // namespace kinescope::stepvideo
