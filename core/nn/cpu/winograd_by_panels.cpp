#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

#include "core/nn/cpu/parallel_for_dynamic.h"
#include "core/nn/cpu/winograd_loops.h"

namespace kinescope::winograd {

namespace {

/// Memory for the tiles that are transformed together. All threads share it.
constexpr std::int64_t kPatchBytes = std::int64_t{32} << 20;
/// Maximum number of rows of the products that each thread computes with these tiles.
constexpr std::int64_t kMostRows = 512;
/// The number of input channels whose filters are transformed together. With kPanelsOfGroup panels, the result takes
/// half of a core's L2 cache.
constexpr std::int64_t kChannels = 128;

/// Multiplies a range of tiles with a few panels of the filter. Each thread uses its own instance.
class PanelGroup {
public:
    PanelGroup(const Layout& layout, const WinogradFilter& filter, const Patches& patches, Results& results,
               std::int64_t most)
        : layout_(layout),
          filter_(filter),
          patches_(patches),
          results_(results),
          plane_(most * layout.together * kPanelsOfGroup * kPanelColumns + kLanes),
          products_(at::empty({layout.values, plane_}, at::kFloat)),
          weight_(at::empty({layout.values, kWeightPlane}, at::kFloat)) {}

    void run(std::int64_t first_tile, std::int64_t count, std::int64_t first_panel, std::int64_t panels) {
        for (std::int64_t tap = 0; tap < layout_.taps; ++tap)
            for (std::int64_t channel = 0; channel < layout_.in; channel += kChannels) {
                const FilterPart part{.first_panel = first_panel,
                                      .panels = panels,
                                      .tap = tap,
                                      .first_channel = channel,
                                      .channels = std::min(kChannels, layout_.in - channel)};
                transform(layout_, filter_, part, weight_.mutable_data_ptr<float>(), kWeightPlane, kWeightPanel);
                multiply(part, count);
            }
        const auto first_channel = first_panel * kPanelColumns;
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t t = 0; t < layout_.together; ++t)
                results_.write({.tile = first_tile + i,
                                .t = t,
                                .first_channel = first_channel,
                                .channels = std::min(panels * kPanelColumns, layout_.out - first_channel),
                                .products = products_.const_data_ptr<float>() + (i * layout_.together + t) * kRow,
                                .plane = plane_});
    }

private:
    static constexpr std::int64_t kWeightPanel = kChannels * kPanelColumns;
    /// The padding prevents the values from mapping to the same cache lines.
    static constexpr std::int64_t kWeightPlane = kPanelsOfGroup * kWeightPanel + kLanes;
    static constexpr std::int64_t kRow = kPanelsOfGroup * kPanelColumns;  ///< floats per row of the products

    /// Multiplies `count` tiles with a part of the filter. Skips frames that are zeros.
    void multiply(const FilterPart& part, std::int64_t count) {
        for (std::int64_t value = 0; value < layout_.values; ++value)
            for (std::int64_t t = 0; t < layout_.together; ++t) {
                const auto first_tap = std::max<std::int64_t>(layout_.first - t, 0);
                if (part.tap < first_tap) continue;
                const bool is_first = part.tap == first_tap && part.first_channel == 0;
                for (std::int64_t panel = 0; panel < part.panels; ++panel)
                    gemm_kernel::multiply(
                        {.a = patches_.of(value) + (t + part.tap) * layout_.padded_in + part.first_channel,
                         .a_stride = layout_.row(),
                         .rows = count,
                         .b = weight_.const_data_ptr<float>() + value * kWeightPlane + panel * kWeightPanel,
                         .depth = round_up(part.channels, kLanes),
                         .c = products_.mutable_data_ptr<float>() + value * plane_ + t * kRow + panel * kPanelColumns,
                         .c_stride = layout_.together * kRow,
                         .sum = is_first ? Sum::overwrite : Sum::accumulate});
            }
    }

    const Layout& layout_;
    const WinogradFilter& filter_;
    const Patches& patches_;
    Results& results_;
    std::int64_t plane_;
    Tensor products_;  ///< [values, tile, frame, kPanelsOfGroup, kPanelColumns]
    Tensor weight_;    ///< [values, kPanelsOfGroup, kChannels, kPanelColumns]
};

/// Returns the number of tiles per step: as many as fit in memory, in steps of almost equal size.
std::int64_t tiles_at_once(const Layout& layout) {
    const auto of_tile = layout.values * layout.row() * static_cast<std::int64_t>(sizeof(float));
    const auto most =
        std::clamp<std::int64_t>(kPatchBytes / of_tile, 1, std::max<std::int64_t>(kMostRows / layout.together, 1));
    const auto parts = count_parts(layout.tiles, most);
    return count_parts(layout.tiles, parts);
}

}  // namespace

Tensor convolve_by_panels(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter) {
    Results results(layout, filter.bias);
    const auto most = tiles_at_once(layout);
    Patches patches(layout, frames, most);
    for (std::int64_t first = 0; first < layout.tiles; first += most) {
        const auto count = std::min(most, layout.tiles - first);
        at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin; i < end; ++i) patches.read(first + i, i);
        });
        const auto all = layout.panels(), groups = groups_of(all);
        parallel_for_dynamic(groups, [&](DynamicTasks& tasks) {
            PanelGroup group(layout, filter, patches, results, most);
            while (const auto i = tasks.next()) {
                const auto panel = all * *i / groups;
                group.run(first, count, panel, all * (*i + 1) / groups - panel);
            }
        });
    }
    return results.frames();
}

}  // namespace kinescope::winograd
