#include "core/models/cogvideox/tiling.h"

#include <algorithm>

namespace kinescope::cogvideox {

namespace {

/// Returns the tiles along one axis. Rounds sizes down like the reference.
TileAxis decoder_axis(std::int64_t sample_size, std::int64_t scale, double overlap) {
    const auto result_size = sample_size / 2;
    const auto size = std::max<std::int64_t>(result_size / scale, 1);
    const auto blend = static_cast<std::int64_t>(static_cast<double>(result_size) * overlap);
    const auto stride = static_cast<std::int64_t>(static_cast<double>(size) * (1.0 - overlap));
    return {.size = size, .stride = std::max<std::int64_t>(stride, 1), .blend = blend, .keep = result_size - blend};
}

}  // namespace

std::array<TileAxis, 2> decoder_tiles(const VaeConfig& config) {
    return {decoder_axis(config.sample_height, config.scale_factor_spatial(), 1.0 / 6.0),
            decoder_axis(config.sample_width, config.scale_factor_spatial(), 1.0 / 5.0)};
}

}  // namespace kinescope::cogvideox
