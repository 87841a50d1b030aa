#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

#include "core/nn/cpu/parallel_for_dynamic.h"
#include "core/nn/cpu/winograd_loops.h"

namespace kinescope::winograd {

namespace {

/// Memory per thread for the patches and products of a block: slightly more than a core's L2 cache.
constexpr std::int64_t kBlockBytes = std::int64_t{3} << 20;
/// Minimum number of rows per block, so that each weight that is read is used often enough.
constexpr std::int64_t kLeastRows = 56;

/// Returns the distance, in floats, between the values of a transformed filter. The padding prevents the values of one
/// channel, which are written together, from mapping to the same cache lines.
std::int64_t filter_plane(const Layout& layout) {
    return layout.panels() * layout.depth() * kPanelColumns + kLanes;
}

/// Returns the transformed filter: [values, panels, depth, kPanelColumns].
Tensor transformed(const Layout& layout, const WinogradFilter& filter) {
    const std::int64_t panel = layout.depth() * kPanelColumns, plane = filter_plane(layout);
    auto result = at::empty({layout.values, plane}, at::kFloat);
    float* const to = result.mutable_data_ptr<float>();
    parallel_for_dynamic(layout.panels() * layout.taps, [&](DynamicTasks& tasks) {
        while (const auto i = tasks.next()) {
            const auto tap = *i % layout.taps, first = *i / layout.taps;
            transform(layout, filter,
                      {.first_panel = first, .panels = 1, .tap = tap, .first_channel = 0, .channels = layout.in},
                      to + first * panel + tap * layout.padded_in * kPanelColumns, plane, panel);
        }
    });
    return result;
}

/// Computes a range of tiles. Each thread uses its own instance.
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
    /// Multiplies `count` tiles with the whole filter. Skips frames that are zeros.
    void multiply(std::int64_t count) {
        const auto panels = layout_.panels();
        for (std::int64_t value = 0; value < layout_.values; ++value)
            for (std::int64_t panel = 0; panel < panels; ++panel)
                for (std::int64_t t = 0; t < layout_.together; ++t) {
                    const auto skipped = std::max<std::int64_t>(layout_.first - t, 0) * layout_.padded_in;
                    gemm_kernel::multiply({.a = patches_.of(value) + t * layout_.padded_in + skipped,
                                           .a_stride = layout_.row(),
                                           .rows = count,
                                           .b = weight_ + value * filter_plane(layout_) +
                                                (panel * layout_.depth() + skipped) * kPanelColumns,
                                           .depth = layout_.depth() - skipped,
                                           .c = products_.mutable_data_ptr<float>() + value * plane_ +
                                                t * layout_.padded_out + panel * kPanelColumns,
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

/// Returns the number of tiles per block: few enough for the cache, enough to reuse the weight, and divided evenly
/// among the threads.
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

Tensor convolve_by_tiles(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter) {
    const auto weight = transformed(layout, filter);
    Results results(layout, filter.bias);
    const auto most = tiles_of_block(layout);
    parallel_for_dynamic(count_parts(layout.tiles, most), [&](DynamicTasks& tasks) {
        Block block(layout, frames, weight, results, most);
        while (const auto i = tasks.next()) block.run(*i * most, std::min(most, layout.tiles - *i * most));
    });
    return results.frames();
}

}  // namespace kinescope::winograd
