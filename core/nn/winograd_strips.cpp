#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

#include "core/nn/share_out.h"
#include "core/nn/winograd_ways.h"

namespace kinescope::winograd {

namespace {

/// Of the tiles that are transformed at once, for all threads.
constexpr std::int64_t kPatchBytes = std::int64_t{32} << 20;
/// Their products of one thread.
constexpr std::int64_t kMostRows = 512;
/// Input channels and strips whose filters are transformed at once: half a core's second cache.
constexpr std::int64_t kChannels = 128;
constexpr std::int64_t kStrips = 4;

/// A run of tiles through some strips, with memory of one thread.
class Strips {
public:
    Strips(const Layout& layout, const WinogradFilter& filter, const Patches& patches, Results& results,
           std::int64_t most)
        : layout_(layout),
          filter_(filter),
          patches_(patches),
          results_(results),
          plane_(most * layout.together * kStrips * kStrip + kLanes),
          products_(at::empty({layout.values, plane_}, at::kFloat)),
          weight_(at::empty({layout.values, kWeightPlane}, at::kFloat)) {}

    void run(std::int64_t first_tile, std::int64_t count, std::int64_t first_strip, std::int64_t strips) {
        for (std::int64_t tap = 0; tap < layout_.taps; ++tap)
            for (std::int64_t channel = 0; channel < layout_.in; channel += kChannels) {
                const FilterPart part{.first_strip = first_strip,
                                      .strips = strips,
                                      .tap = tap,
                                      .first_channel = channel,
                                      .channels = std::min(kChannels, layout_.in - channel)};
                transform(layout_, filter_, part, weight_.mutable_data_ptr<float>(), kWeightPlane, kWeightStrip);
                multiply(part, count);
            }
        const auto first_channel = first_strip * kStrip;
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t t = 0; t < layout_.together; ++t)
                results_.write({.tile = first_tile + i,
                                .t = t,
                                .first_channel = first_channel,
                                .channels = std::min(strips * kStrip, layout_.out - first_channel),
                                .products = products_.const_data_ptr<float>() + (i * layout_.together + t) * kRow,
                                .plane = plane_});
    }

private:
    static constexpr std::int64_t kWeightStrip = kChannels * kStrip;
    static constexpr std::int64_t kWeightPlane = kStrips * kWeightStrip + kLanes;  ///< not on the same cache lines
    static constexpr std::int64_t kRow = kStrips * kStrip;                         ///< of products

    /// Frames that are zeros are left out of the sum.
    void multiply(const FilterPart& part, std::int64_t count) {
        for (std::int64_t value = 0; value < layout_.values; ++value)
            for (std::int64_t t = 0; t < layout_.together; ++t) {
                const auto first_tap = std::max<std::int64_t>(layout_.first - t, 0);
                if (part.tap < first_tap) continue;
                const bool begins = part.tap == first_tap && part.first_channel == 0;
                for (std::int64_t strip = 0; strip < part.strips; ++strip)
                    strip_product::multiply(
                        {.a = patches_.of(value) + (t + part.tap) * layout_.padded_in + part.first_channel,
                         .a_stride = layout_.row(),
                         .rows = count,
                         .b = weight_.const_data_ptr<float>() + value * kWeightPlane + strip * kWeightStrip,
                         .depth = round_up(part.channels, kLanes),
                         .c = products_.mutable_data_ptr<float>() + value * plane_ + t * kRow + strip * kStrip,
                         .c_stride = layout_.together * kRow,
                         .sum = begins ? Sum::begins : Sum::goes_on});
            }
    }

    const Layout& layout_;
    const WinogradFilter& filter_;
    const Patches& patches_;
    Results& results_;
    std::int64_t plane_;
    Tensor products_;  ///< [values, tile, frame, kStrips, kStrip]
    Tensor weight_;    ///< [values, kStrips, kChannels, kStrip]
};

/// Runs of at most kStrips strips, a few for each thread where there are so many strips.
std::int64_t groups_of(std::int64_t strips) {
    constexpr std::int64_t kOfThread = 3;
    return std::min(strips, std::max(count_parts(strips, kStrips), kOfThread * at::get_num_threads()));
}

/// As many at a time as memory allows, in parts of almost the same size.
std::int64_t tiles_at_once(const Layout& layout) {
    const auto of_tile = layout.values * layout.row() * static_cast<std::int64_t>(sizeof(float));
    const auto most =
        std::clamp<std::int64_t>(kPatchBytes / of_tile, 1, std::max<std::int64_t>(kMostRows / layout.together, 1));
    const auto parts = count_parts(layout.tiles, most);
    return count_parts(layout.tiles, parts);
}

}  // namespace

Tensor strip_by_strip(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter) {
    Results results(layout, filter.bias);
    const auto most = tiles_at_once(layout);
    Patches patches(layout, frames, most);
    for (std::int64_t first = 0; first < layout.tiles; first += most) {
        const auto count = std::min(most, layout.tiles - first);
        at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin; i < end; ++i) patches.read(first + i, i);
        });
        const auto all = layout.strips(), groups = groups_of(all);
        share_out(groups, [&](Shares& shares) {
            Strips strips(layout, filter, patches, results, most);
            while (const auto i = shares.take()) {
                const auto strip = all * *i / groups;
                strips.run(first, count, strip, all * (*i + 1) / groups - strip);
            }
        });
    }
    return results.frames();
}

}  // namespace kinescope::winograd
