#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

#include "core/nn/share_out.h"
#include "core/nn/winograd_ways.h"

namespace kinescope::winograd {

namespace {

/// Of one thread: what a block's patches and products may take. Little more than a core's second cache.
constexpr std::int64_t kBlockBytes = std::int64_t{3} << 20;
/// Rows that a weight is multiplied with at least, where there are so many, each time it is read.
constexpr std::int64_t kLeastRows = 56;

/// Floats from one value of a transformed filter to the next: those of a channel are written together, and would fall
/// onto the same cache lines.
std::int64_t filter_plane(const Layout& layout) {
    return layout.strips() * layout.depth() * kStrip + kLanes;
}

/// [values, strips, depth, kStrip]
Tensor transformed(const Layout& layout, const WinogradFilter& filter) {
    const std::int64_t strip = layout.depth() * kStrip, plane = filter_plane(layout);
    auto result = at::empty({layout.values, plane}, at::kFloat);
    float* const to = result.mutable_data_ptr<float>();
    share_out(layout.strips() * layout.taps, [&](Shares& shares) {
        while (const auto i = shares.take()) {
            const auto tap = *i % layout.taps, first = *i / layout.taps;
            transform(layout, filter,
                      {.first_strip = first, .strips = 1, .tap = tap, .first_channel = 0, .channels = layout.in},
                      to + first * strip + tap * layout.padded_in * kStrip, plane, strip);
        }
    });
    return result;
}

/// A run of tiles, with memory of one thread.
class Block {
public:
    Block(const Layout& layout, const std::vector<Tensor>& frames, const Tensor& weight, Results& results,
          std::int64_t most)
        : layout_(layout),
          weight_(weight.const_data_ptr<float>()),
          results_(results),
          patches_(layout, frames, most),
          plane_(most * layout.together * layout.padded_out + kLanes),
          products_(at::empty({layout.values, plane_}, at::kFloat)) {}

    void run(std::int64_t begin, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) patches_.read(begin + i, i);
        multiply(count);
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t t = 0; t < layout_.together; ++t)
                results_.write(
                    {.tile = begin + i,
                     .t = t,
                     .first_channel = 0,
                     .channels = layout_.out,
                     .products = products_.const_data_ptr<float>() + (i * layout_.together + t) * layout_.padded_out,
                     .plane = plane_});
    }

private:
    /// Frames that are zeros are left out of the sum.
    void multiply(std::int64_t count) {
        const auto strips = layout_.strips();
        for (std::int64_t value = 0; value < layout_.values; ++value)
            for (std::int64_t strip = 0; strip < strips; ++strip)
                for (std::int64_t t = 0; t < layout_.together; ++t) {
                    const auto skipped = std::max<std::int64_t>(layout_.first - t, 0) * layout_.padded_in;
                    strip_product::multiply(
                        {.a = patches_.of(value) + t * layout_.padded_in + skipped,
                         .a_stride = layout_.row(),
                         .rows = count,
                         .b = weight_ + value * filter_plane(layout_) + (strip * layout_.depth() + skipped) * kStrip,
                         .depth = layout_.depth() - skipped,
                         .c = products_.mutable_data_ptr<float>() + value * plane_ + t * layout_.padded_out +
                              strip * kStrip,
                         .c_stride = layout_.together * layout_.padded_out});
                }
    }

    const Layout& layout_;
    const float* weight_;
    Results& results_;
    Patches patches_;
    std::int64_t plane_;
    Tensor products_;  ///< [values, tile, frame, out]
};

/// Tiles of a block: few enough for the cache, enough to make use of a weight, and as much work for every thread.
std::int64_t tiles_of_block(const Layout& layout) {
    const auto of_tile =
        layout.values * (layout.row() + layout.together * layout.padded_out) * static_cast<std::int64_t>(sizeof(float));
    const auto least = count_parts(kLeastRows, layout.together);
    const auto most = std::max(kBlockBytes / of_tile, least);
    const std::int64_t threads = at::get_num_threads();
    const auto turns = count_parts(layout.tiles, most * threads);
    return count_parts(layout.tiles, turns * threads);
}

}  // namespace

Tensor tile_by_tile(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter) {
    const auto weight = transformed(layout, filter);
    Results results(layout, filter.bias);
    const auto most = tiles_of_block(layout);
    share_out(count_parts(layout.tiles, most), [&](Shares& shares) {
        Block block(layout, frames, weight, results, most);
        while (const auto i = shares.take()) block.run(*i * most, std::min(most, layout.tiles - *i * most));
    });
    return results.frames();
}

}  // namespace kinescope::winograd
