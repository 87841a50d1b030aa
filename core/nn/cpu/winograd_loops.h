#pragma once

#include <vector>

#include "core/nn/cpu/winograd_layout.h"

/// Two loop orders for the same products. Both add them up in the same order.
namespace kinescope::winograd {

/// For many tiles: transforms the whole filter first. Each thread then multiplies blocks of tiles, which fit in its
/// cache, with the whole filter.
Tensor convolve_by_tiles(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter);

/// For few tiles: transforms all tiles first. Each thread then transforms the filters of some output channels in its
/// cache and multiplies them with all tiles. Reads a large filter only once and does not store its transform.
Tensor convolve_by_panels(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter);

/// A part of a filter to transform: the panels of output channels, and some input channels of one tap.
struct FilterPart {
    std::int64_t first_panel, panels;
    std::int64_t tap;
    std::int64_t first_channel, channels;
};
/// Writes the transformed filters as [values, panels, round_up(channels, kLanes), kPanelColumns]: values are `plane`
/// and panels `panel` floats apart.
void transform(const Layout& layout, const WinogradFilter& filter, const FilterPart& part, float* values,
               std::int64_t plane, std::int64_t panel);

}  // namespace kinescope::winograd
