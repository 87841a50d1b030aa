#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstddef>

#include "core/nn/cpu/amx_product.h"
#include "core/nn/cpu/byte_memory.h"
#include "core/nn/cpu/parallel_for_dynamic.h"
#include "core/nn/cpu/winograd_loops.h"

namespace kinescope::winograd::amx {

namespace {

using amx_product::kPartsOfRows;
using amx_product::kRowBytes;
using amx_product::kRows;
using amx_product::kStep;
using amx_product::Parts;

static_assert(kPanelColumns == amx_product::kColumns);

/// Memory per thread for the patches and products of a block of tiles, and the minimum number of rows of a block, so
/// that each part of the filter that is read is used often enough.
constexpr std::int64_t kBlockBytes = std::int64_t{3} << 20, kLeastRows = 96;
/// Memory for the tiles that all threads share, if each transforms the filter by itself, and their maximum number of
/// rows.
constexpr std::int64_t kSharedBytes = std::int64_t{48} << 20, kMostRows = 512;

/// Returns the number of input channels whose filters such a thread transforms together. With few rows, the filters
/// should stay in a core's L2 cache, because each is read soon and seldom. With many rows, the products do not fit
/// there, and more channels read and write them less often.
std::int64_t channels_at_once(std::int64_t rows) {
    constexpr std::int64_t kFew = 64, kMany = 256;
    return std::clamp(round_up(rows, kFew) / 2, kFew, kMany);
}

/// Returns the steps of the products over the channels of one frame.
std::int64_t steps_of_frame(const Layout& layout) {
    return amx_product::steps_of(layout.padded_in);
}

std::int64_t frames_of(const Layout& layout) {
    return layout.together + layout.taps - 1;
}

/// Transformed and split tiles. A row is one frame of a tile. The rows of a frame follow those of the frame before, so
/// that the rows of all results, for one tap of the filter, lie side by side.
class SplitPatches {
public:
    SplitPatches(const Layout& layout, std::int64_t most)
        : layout_(layout),
          plane_((round_up(layout.together * most, kRows) + (layout.taps - 1) * most) * kRowBytes),
          memory_(allocate_bytes(layout.values * steps_of_frame(layout) * kPartsOfRows * plane_)) {}

    /// Splits the only tile of `patches` into tile `index` of `count`. Leaves out frames that are zeros.
    void split(const Patches& patches, std::int64_t index, std::int64_t count) {
        for (std::int64_t value = 0; value < layout_.values; ++value)
            for (auto frame = layout_.first; frame < frames_of(layout_); ++frame)
                amx_product::split_rows(
                    {.first = patches.of(value) + frame * layout_.padded_in, .count = 1, .depth = layout_.padded_in},
                    of(value, 0, frame * count + index), plane_);
    }

    std::byte* of(std::int64_t value, std::int64_t step, std::int64_t row) const {
        return bytes_of(memory_) + (value * steps_of_frame(layout_) + step) * kPartsOfRows * plane_ + row * kRowBytes;
    }
    std::int64_t plane() const { return plane_; }

private:
    const Layout& layout_;
    std::int64_t plane_;
    Tensor memory_;
};

/// Transforms and splits filters, one panel at a time. Each thread uses its own instance.
class FilterSplitter {
public:
    FilterSplitter(const Layout& layout, const WinogradFilter& filter, std::int64_t channels)
        : layout_(layout),
          filter_(filter),
          plane_(channels * kPanelColumns + kLanes),
          memory_(at::empty({layout.values, plane_}, at::kFloat)) {}

    /// Writes the values of a part with one panel, `distance` bytes apart.
    void split(const FilterPart& part, std::byte* to, std::int64_t distance) const {
        transform(layout_, filter_, part, memory_.mutable_data_ptr<float>(), plane_, 0);
        for (std::int64_t value = 0; value < layout_.values; ++value)
            amx_product::split_panel(memory_.const_data_ptr<float>() + value * plane_, round_up(part.channels, kLanes),
                                     Parts::three, to + value * distance);
    }

private:
    const Layout& layout_;
    const WinogradFilter& filter_;
    std::int64_t plane_;
    Tensor memory_;
};

/// The products of a block of tiles: [values, result frame, tile, columns].
class Products {
public:
    Products(const Layout& layout, std::int64_t most, std::int64_t columns)
        : layout_(layout),
          columns_(columns),
          plane_(most * layout.together * columns + kLanes),
          memory_(at::empty({layout.values, plane_}, at::kFloat)) {}

    /// The products of one value and one panel of the filter with `channels` channels of one tap.
    struct Factors {
        std::int64_t value, tap, first_channel, channels;
        const std::byte* filter;
        std::int64_t column;  ///< of the products, at which the panel starts
    };
    /// Adds the products to those of earlier taps and channels. Skips frames that are zeros.
    void multiply(const SplitPatches& patches, std::int64_t count, const Factors& of) {
        // The first product of a result replaces what is in memory. With missing frames, this is that of a later tap.
        const auto begin = std::max<std::int64_t>(layout_.first - of.tap, 0);
        const bool starts_all = of.tap == 0, starts_one = layout_.first >= of.tap;
        const auto started = of.first_channel > 0 ? begin
                             : starts_all         ? layout_.together
                                                  : begin + (starts_one ? 1 : 0);
        const auto added = std::clamp(started, begin, std::max(begin, layout_.together));
        multiply_frames(patches, count, of, {begin, added}, Sum::overwrite);
        multiply_frames(patches, count, of, {added, layout_.together}, Sum::accumulate);
    }

    /// Writes the results of `channels` channels of `count` tiles.
    void write(std::int64_t first_tile, std::int64_t count, std::int64_t first_channel, std::int64_t channels,
               Results& results) const {
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t t = 0; t < layout_.together; ++t)
                results.write({.tile = first_tile + i,
                               .t = t,
                               .first_channel = first_channel,
                               .channels = channels,
                               .products = memory_.const_data_ptr<float>() + (t * count + i) * columns_,
                               .plane = plane_});
    }

private:
    struct Frames {
        std::int64_t begin, end;
    };
    void multiply_frames(const SplitPatches& patches, std::int64_t count, const Factors& of, const Frames& frames,
                         Sum sum) {
        float* const c = memory_.mutable_data_ptr<float>() + of.value * plane_ + of.column;
        const auto end = frames.end * count;
        for (auto row = frames.begin * count; row < end; row += kRows)
            amx_product::multiply({.a = patches.of(of.value, of.first_channel / kStep, of.tap * count + row),
                                   .plane = patches.plane(),
                                   .rows = std::min(kRows, end - row),
                                   .b = of.filter,
                                   .depth = of.channels,
                                   .c = c + row * columns_,
                                   .c_stride = columns_,
                                   .start = sum == Sum::accumulate ? c + row * columns_ : nullptr,
                                   .start_stride = columns_});
    }

    const Layout& layout_;
    std::int64_t columns_, plane_;
    Tensor memory_;
};

/// The whole filter, transformed and split: [panels, taps, values].
class SplitFilter {
public:
    SplitFilter(const Layout& layout, const WinogradFilter& filter)
        : layout_(layout),
          part_(amx_product::bytes_of_panel(layout.padded_in, Parts::three)),
          memory_(allocate_bytes(layout.panels() * layout.taps * layout.values * part_)) {
        parallel_for_dynamic(layout.panels() * layout.taps, [&](DynamicTasks& tasks) {
            const FilterSplitter splitter(layout, filter, layout.padded_in);
            while (const auto i = tasks.next())
                splitter.split({.first_panel = *i / layout.taps,
                                .panels = 1,
                                .tap = *i % layout.taps,
                                .first_channel = 0,
                                .channels = layout.in},
                               bytes_of(memory_) + *i * layout.values * part_, part_);
        });
    }

    const std::byte* of(std::int64_t panel, std::int64_t tap, std::int64_t value) const {
        return bytes_of(memory_) + ((panel * layout_.taps + tap) * layout_.values + value) * part_;
    }

private:
    const Layout& layout_;
    std::int64_t part_;
    Tensor memory_;
};

/// Returns the bytes of the patches of one tile, and of its products with all output channels.
std::int64_t bytes_of_patches(const Layout& layout) {
    return layout.values * frames_of(layout) * steps_of_frame(layout) * kPartsOfRows * kRowBytes;
}
std::int64_t bytes_of_products(const Layout& layout) {
    return layout.values * layout.together * layout.padded_out * static_cast<std::int64_t>(sizeof(float));
}

/// Returns the number of tiles per block: few enough for the cache, enough to reuse the filter, and divided evenly
/// among the threads.
std::int64_t tiles_of_block(const Layout& layout) {
    const auto most = std::max(kBlockBytes / (bytes_of_patches(layout) + bytes_of_products(layout)),
                               count_parts(kLeastRows, layout.together));
    const std::int64_t threads = at::get_num_threads();
    return count_parts(layout.tiles, count_parts(layout.tiles, most * threads) * threads);
}

Tensor convolve_tiles(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter) {
    const SplitFilter split(layout, filter);
    Results results(layout, filter.bias);
    const auto most = tiles_of_block(layout);
    parallel_for_dynamic(count_parts(layout.tiles, most), [&](DynamicTasks& tasks) {
        Patches tile(layout, frames, 1);
        SplitPatches patches(layout, most);
        Products products(layout, most, layout.padded_out);
        const amx_product::TileRegisters registers;
        while (const auto block = tasks.next()) {
            const auto first = *block * most, count = std::min(most, layout.tiles - first);
            for (std::int64_t i = 0; i < count; ++i) {
                tile.read(first + i, 0);
                patches.split(tile, i, count);
            }
            for (std::int64_t value = 0; value < layout.values; ++value)
                for (std::int64_t panel = 0; panel < layout.panels(); ++panel)
                    for (std::int64_t tap = 0; tap < layout.taps; ++tap)
                        products.multiply(patches, count,
                                          {.value = value,
                                           .tap = tap,
                                           .first_channel = 0,
                                           .channels = layout.padded_in,
                                           .filter = split.of(panel, tap, value),
                                           .column = panel * kPanelColumns});
            products.write(first, count, 0, layout.out, results);
        }
    });
    return results.frames();
}

/// Multiplies a range of tiles with a few panels of the filter. Each thread uses its own instance.
class PanelGroup {
public:
    PanelGroup(const Layout& layout, const WinogradFilter& filter, std::int64_t most)
        : layout_(layout),
          channels_(channels_at_once(layout.together * most)),
          part_(amx_product::bytes_of_panel(channels_, Parts::three)),
          splitter_(layout, filter, channels_),
          products_(layout, most, kPanelsOfGroup * kPanelColumns),
          filter_(allocate_bytes(kPanelsOfGroup * layout.values * part_)) {}

    void run(const SplitPatches& patches, std::int64_t count, std::int64_t first_panel, std::int64_t panels) {
        for (std::int64_t tap = 0; tap < layout_.taps; ++tap)
            for (std::int64_t channel = 0; channel < layout_.in; channel += channels_) {
                const FilterPart part{.first_panel = first_panel,
                                      .panels = 1,
                                      .tap = tap,
                                      .first_channel = channel,
                                      .channels = std::min(channels_, layout_.in - channel)};
                split(part, panels);
                multiply(patches, count, part, panels);
            }
    }
    const Products& products() const { return products_; }

private:
    std::byte* filter(std::int64_t panel, std::int64_t value) const {
        return bytes_of(filter_) + (panel * layout_.values + value) * part_;
    }

    void split(FilterPart part, std::int64_t panels) const {
        for (std::int64_t panel = 0; panel < panels; ++panel, ++part.first_panel)
            splitter_.split(part, filter(panel, 0), part_);
    }

    void multiply(const SplitPatches& patches, std::int64_t count, const FilterPart& part, std::int64_t panels) {
        for (std::int64_t value = 0; value < layout_.values; ++value)
            for (std::int64_t panel = 0; panel < panels; ++panel)
                products_.multiply(patches, count,
                                   {.value = value,
                                    .tap = part.tap,
                                    .first_channel = part.first_channel,
                                    .channels = part.channels,
                                    .filter = filter(panel, value),
                                    .column = panel * kPanelColumns});
    }

    const Layout& layout_;
    std::int64_t channels_, part_;  ///< input channels at once, and the bytes of a panel of one value of theirs
    FilterSplitter splitter_;
    Products products_;
    Tensor filter_;  ///< [kPanelsOfGroup, values] parts
};

/// Returns the number of tiles per step: as many as fit in memory, in steps of almost equal size.
std::int64_t tiles_at_once(const Layout& layout) {
    const auto most = std::clamp<std::int64_t>(kSharedBytes / bytes_of_patches(layout), 1,
                                               std::max<std::int64_t>(kMostRows / layout.together, 1));
    return count_parts(layout.tiles, count_parts(layout.tiles, most));
}

Tensor convolve_panels(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter) {
    Results results(layout, filter.bias);
    const auto most = tiles_at_once(layout);
    SplitPatches patches(layout, most);
    for (std::int64_t first = 0; first < layout.tiles; first += most) {
        const auto count = std::min(most, layout.tiles - first);
        at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
            Patches tile(layout, frames, 1);
            for (auto i = begin; i < end; ++i) {
                tile.read(first + i, 0);
                patches.split(tile, i, count);
            }
        });
        const auto all = layout.panels(), groups = groups_of(all);
        parallel_for_dynamic(groups, [&](DynamicTasks& tasks) {
            PanelGroup group(layout, filter, most);
            const amx_product::TileRegisters registers;
            while (const auto i = tasks.next()) {
                const auto panel = all * *i / groups, panels = all * (*i + 1) / groups - panel;
                group.run(patches, count, panel, panels);
                const auto channel = panel * kPanelColumns;
                group.products().write(first, count, channel, std::min(panels * kPanelColumns, layout.out - channel),
                                       results);
            }
        });
    }
    return results.frames();
}

}  // namespace

Tensor convolve(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter,
                LoopOrder order) {
    return order == LoopOrder::panels ? convolve_panels(layout, frames, filter)
                                      : convolve_tiles(layout, frames, filter);
}

}  // namespace kinescope::winograd::amx
