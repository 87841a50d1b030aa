#pragma once

#include <vector>

#include "core/nn/cpu/winograd_layout.h"

/// Two functions that compute the same convolution in different loop orders. Both add up the products in the same
/// order.
namespace kinescope::winograd {

/// Convolves with many tiles: transforms the whole filter first; then each thread multiplies blocks of tiles, which fit
/// in its cache, with the whole filter.
Tensor convolve_by_tiles(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter);

/// Convolves with few tiles: transforms all tiles first; then each thread transforms the filters of some output
/// channels in its cache and multiplies them with all tiles. Reads a large filter only once and does not store its
/// transform.
Tensor convolve_by_panels(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter);

/// The loop orders of convolve_by_tiles and convolve_by_panels.
enum class LoopOrder { tiles, panels };

namespace amx {

/// Convolves with products by AMX, which must be usable.
Tensor convolve(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter, LoopOrder order);

}  // namespace amx

/// The maximum number of panels that a thread computes together in convolve_by_panels.
inline constexpr std::int64_t kPanelsOfGroup = 4;
/// Returns the number of groups of at most kPanelsOfGroup panels: about three per thread if there are enough panels.
std::int64_t groups_of(std::int64_t panels);

/// The part of a filter that transform() processes: a range of panels of output channels, and a range of input channels
/// of one temporal tap.
struct FilterPart {
    std::int64_t first_panel, panels;
    std::int64_t tap;
    std::int64_t first_channel, channels;
};
/// Writes the transformed filters as [values, panels, round_up(channels, kLanes), kPanelColumns]. Values are `plane`
/// floats apart, and panels are `panel` floats apart.
void transform(const Layout& layout, const WinogradFilter& filter, const FilterPart& part, float* values,
               std::int64_t plane, std::int64_t panel);

}  // namespace kinescope::winograd
