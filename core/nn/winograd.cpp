#include "core/nn/winograd.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>

#include "core/nn/winograd_ways.h"

namespace kinescope {

namespace {

/// As measured: to write the transformed filter and to read it for each block of tiles costs more than to transform it
/// once more while there are so few tiles, and the more so the larger it is.
bool goes_by_strips(const winograd::Layout& layout) {
    constexpr std::int64_t kFew = 256, kFloatsOfTile = 1024;
    const auto filter = layout.taps * layout.in * layout.out;
    const bool is_few = layout.tiles * layout.together <= std::max(kFew, filter / kFloatsOfTile);
    return is_few && layout.strips() >= at::get_num_threads();
}

/// As the kernels read them. What lies so already is not copied.
std::vector<Tensor> plain_frames(const std::vector<Tensor>& frames) {
    std::vector<Tensor> plain;
    for (const Tensor& frame : frames) plain.push_back(frame.defined() ? frame.to(at::kFloat).contiguous() : frame);
    return plain;
}

}  // namespace

bool winograd_pays(std::int64_t in, std::int64_t out) {
    return strip_product::is_supported() && in >= 32 && (out >= 32 || in >= 64);
}

Tensor winograd_convolution(const std::vector<Tensor>& pictures, const WinogradFilter& filter, Enlarge enlarge) {
    RECORD_FUNCTION("kinescope::winograd", {});
    const std::vector<Tensor> frames = plain_frames(pictures);
    const winograd::Layout layout(frames, filter, enlarge);
    return goes_by_strips(layout) ? winograd::strip_by_strip(layout, frames, filter)
                                  : winograd::tile_by_tile(layout, frames, filter);
}

}  // namespace kinescope
