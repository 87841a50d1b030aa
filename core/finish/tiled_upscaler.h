#pragma once

#include <functional>

#include "core/device/tensor.h"
#include "core/finish/upscale_network.h"

namespace kinescope {

/// Side and overlap of tiles in pixels of the source.
struct TileSize {
    int tile = 256;
    int overlap = 32;
    bool operator==(const TileSize&) const = default;
};

/// Called after each tile. May throw to stop.
using BetweenTiles = std::function<void()>;

/// Enlarges pictures of any size in overlapping tiles, so that the network's memory does not depend on the size of the
/// picture. If a device has too little memory for a tile, halves the tiles.
class TiledUpscaler {
public:
    TiledUpscaler(std::shared_ptr<const UpscaleNetwork> network, const Device& device, TileSize size)
        : network_(std::move(network)), device_(device), size_(size) {}

    int scale() const { return network_->scale(); }
    /// Enlarges a picture [1, H, W, 3], 0..1, on the CPU. Returns [1, H s, W s, 3], clamped to 0..1, on the CPU. NaN is
    /// kept and infinity becomes NaN.
    Tensor enlarge(const Tensor& picture, const BetweenTiles& between_tiles);
    /// The largest mean difference between two overlapping tiles so far, 0..1: how visible their seams may be.
    double tile_difference() const { return tile_difference_; }
    /// The tiles in use.
    const TileSize& tiles() const { return size_; }

private:
    Tensor enlarge_in_tiles(const Tensor& picture, const BetweenTiles& between_tiles);

    std::shared_ptr<const UpscaleNetwork> network_;
    Device device_;
    TileSize size_;
    double tile_difference_ = 0;
};

}  // namespace kinescope
