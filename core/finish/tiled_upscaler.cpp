#include "core/finish/tiled_upscaler.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

#include "core/device/device_fault.h"
#include "core/device/device_memory.h"
#include "core/finish/tiles.h"

namespace kinescope {
namespace {

constexpr int kSmallestTile = 64;
/// A picture needs at least this much on each side (folding networks mirror it).
constexpr std::int64_t kSmallestSide = 2;

Tensor weights_on(const TileSpan& x, const TileSpan& y, int ramp, int scale) {
    const auto line = [&](const TileSpan& span) { return at::tensor(tile_weights(span.length * scale, ramp)); };
    return line(y).unsqueeze(1).mul(line(x).unsqueeze(0)).unsqueeze(-1);
}

/// Values that are not finite stay recognizable after the clamp.
Tensor clamped(const Tensor& picture) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return at::where(at::isfinite(picture), picture.clamp(0, 1), at::full({}, nan, picture.options()));
}

Tensor at_least_two_wide(const Tensor& picture) {
    Tensor x = picture;
    for (const std::int64_t axis : {std::int64_t{1}, std::int64_t{2}})
        if (x.size(axis) < kSmallestSide) x = x.repeat_interleave(kSmallestSide, axis);
    return x;
}

/// The weighted sum of the tiles so far.
class TileSum {
public:
    TileSum(std::int64_t height, std::int64_t width)
        : sum_(at::zeros({height, width, 3})), weight_(at::zeros({height, width, 1})) {}

    /// Returns the mean difference from the tiles that lie there already; 0 if there are none.
    double add(const Tensor& tile, const Tensor& weight, std::int64_t top, std::int64_t left) {
        const auto part = [&](const Tensor& of) {
            return of.narrow(0, top, tile.size(0)).narrow(1, left, tile.size(1));
        };
        Tensor sum = part(sum_);
        Tensor weights = part(weight_);
        const Tensor shared = weights.minimum(weight);
        const double share = shared.sum().item<double>();
        double difference = 0;
        if (share > 0) {
            const Tensor before = sum.div(weights.clamp_min(1e-12));
            difference = before.sub(tile).abs_().mean(-1, true).mul_(shared).sum().item<double>() / share;
        }
        sum.add_(tile.mul(weight));
        weights.add_(weight);
        return difference;
    }
    Tensor mean() const { return sum_.div(weight_).unsqueeze(0); }

private:
    Tensor sum_;
    Tensor weight_;
};

}  // namespace

Tensor TiledUpscaler::enlarge(const Tensor& picture, const BetweenTiles& between_tiles) {
    if (picture.size(1) < kSmallestSide || picture.size(2) < kSmallestSide)
        return enlarge(at_least_two_wide(picture), between_tiles)
            .slice(1, 0, picture.size(1) * scale())
            .slice(2, 0, picture.size(2) * scale());
    for (;;) {
        try {
            return enlarge_in_tiles(picture, between_tiles);
        } catch (const std::exception& error) {
            if (device_fault(error) != DeviceFault::out_of_memory || size_.tile <= kSmallestTile) throw;
            size_ = {.tile = std::max(kSmallestTile, size_.tile / 2),
                     .overlap = std::min(size_.overlap, kSmallestTile / 4)};
            release_memory(device_);
        }
    }
}

Tensor TiledUpscaler::enlarge_in_tiles(const Tensor& picture, const BetweenTiles& between_tiles) {
    const int s = scale();
    const auto rows = tiles_of(static_cast<int>(picture.size(1)), size_.tile, size_.overlap);
    const auto columns = tiles_of(static_cast<int>(picture.size(2)), size_.tile, size_.overlap);
    const auto run = [&](const TileSpan& y, const TileSpan& x) {
        const Tensor part = picture.narrow(1, y.start, y.length).narrow(2, x.start, x.length).contiguous();
        const Tensor enlarged = clamped(network_->enlarge(part.to(device_))).to(at::kCPU);
        between_tiles();
        return enlarged;
    };
    if (rows.size() == 1 && columns.size() == 1) return run(rows.front(), columns.front());
    TileSum sum(picture.size(1) * s, picture.size(2) * s);
    for (const TileSpan& y : rows)
        for (const TileSpan& x : columns) {
            const double difference = sum.add(run(y, x).squeeze(0), weights_on(x, y, size_.overlap * s, s),
                                              std::int64_t{y.start} * s, std::int64_t{x.start} * s);
            tile_difference_ = std::max(tile_difference_, difference);
        }
    return sum.mean();
}

}  // namespace kinescope
