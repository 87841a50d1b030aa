#pragma once

#include <vector>

#include "core/nn/winograd_layout.h"

/// Two ways through the same products, which are summed up in the same order.
namespace kinescope::winograd {

/// For many tiles: the whole filter is transformed first; each thread takes a few tiles after another, which fit its
/// cache, through all of it.
Tensor tile_by_tile(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter);

/// For few tiles: all of them are transformed first; each thread takes a few output channels after another and
/// transforms their filters where they are used, in its cache. A large filter is read once, and nothing of its size is
/// written.
Tensor strip_by_strip(const Layout& layout, const std::vector<Tensor>& frames, const WinogradFilter& filter);

/// Filters of `strips` strips of output channels and of some input channels of a tap, transformed.
struct FilterPart {
    std::int64_t first_strip, strips;
    std::int64_t tap;
    std::int64_t first_channel, channels;
};
/// [values, strips, round_up(channels, kLanes), kStrip], values `plane` and strips `strip` floats apart.
void transform(const Layout& layout, const WinogradFilter& filter, const FilterPart& part, float* values,
               std::int64_t plane, std::int64_t strip);

}  // namespace kinescope::winograd
