#include "core/models/wan/position_embedding.h"

#include <ATen/ATen.h>

namespace kinescope::wan {

namespace {

constexpr double kTheta = 10000.0;

/// Returns the rotation angles [positions, channels / 2] along one axis.
Tensor axis_angles(std::int64_t positions, std::int64_t channels) {
    const auto exponents = at::arange(0, channels, 2, at::kDouble) / static_cast<double>(channels);
    return at::outer(at::arange(positions, at::kDouble), at::pow(kTheta, exponents).reciprocal());
}

}  // namespace

Tensor rotary_table(const TokenGrid& grid, std::int64_t head_dim) {
    const auto [frames, height, width] = grid;
    const auto spatial = 2 * (head_dim / 6);
    const auto time = axis_angles(frames, head_dim - 2 * spatial).view({frames, 1, 1, -1});
    const auto rows = axis_angles(height, spatial).view({1, height, 1, -1});
    const auto columns = axis_angles(width, spatial).view({1, 1, width, -1});
    const auto angles = at::cat({time.expand({frames, height, width, -1}), rows.expand({frames, height, width, -1}),
                                 columns.expand({frames, height, width, -1})},
                                -1)
                            .flatten(0, 2);
    return at::complex(angles.cos().to(at::kFloat), angles.sin().to(at::kFloat));
}

}  // namespace kinescope::wan
