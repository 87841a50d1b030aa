#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kinescope {

enum class RowLayerRole { time_embedder, modulation, added_times, timesteps };

/// A linear layer whose input has one or two rows: a time embedder or a modulation (adaLN) of a model family.
struct RowLayer {
    std::string model;  ///< e.g. "Wan 14B"
    RowLayerRole role = RowLayerRole::modulation;
    std::int64_t in = 0;
    std::int64_t out = 0;
};

using RowLayers = std::vector<RowLayer>;

}  // namespace kinescope
