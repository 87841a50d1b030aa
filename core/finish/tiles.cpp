#include "core/finish/tiles.h"

#include <algorithm>

namespace kinescope {

std::vector<TileSpan> tiles_of(int size, int tile, int overlap) {
    if (size <= tile) return {{0, size}};
    std::vector<TileSpan> spans;
    for (int start = 0; start < size - overlap; start += tile - overlap)
        spans.push_back({start, std::min(tile, size - start)});
    return spans;
}

std::vector<float> tile_weights(int length, int ramp) {
    std::vector<float> weights(static_cast<std::size_t>(std::max(length, 0)));
    for (int i = 0; i < length; ++i) {
        const int distance = std::min(i, length - 1 - i) + 1;
        weights[static_cast<std::size_t>(i)] =
            ramp > 0 ? std::min(1.0F, static_cast<float>(distance) / static_cast<float>(ramp)) : 1.0F;
    }
    return weights;
}

}  // namespace kinescope
