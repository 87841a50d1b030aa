#include "core/nn/cpu/winograd.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>

#include "core/nn/cpu/amx_product.h"
#include "core/nn/cpu/winograd_loops.h"

namespace kinescope {

namespace {

using winograd::LoopOrder;

/// Returns true if convolve_by_panels is faster. With few tiles, transforming the filter again for each group of tiles
/// is faster than storing the transformed filter and reading it back for each block (measured). The limit for
/// "few" grows with the size of the filter.
bool prefers_panels(const winograd::Layout& layout) {
    constexpr std::int64_t kFew = 256, kFloatsOfTile = 1024;
    const auto filter = layout.taps * layout.in * layout.out;
    const bool is_few = layout.tiles * layout.together <= std::max(kFew, filter / kFloatsOfTile);
    return is_few && layout.panels() >= at::get_num_threads();
}

/// Returns contiguous float32 frames, without a copy if possible.
std::vector<Tensor> plain_frames(const std::vector<Tensor>& frames) {
    std::vector<Tensor> plain;
    for (const Tensor& frame : frames) plain.push_back(frame.defined() ? frame.to(at::kFloat).contiguous() : frame);
    return plain;
}

}  // namespace

bool winograd_pays(std::int64_t in, std::int64_t out) {
    return gemm_kernel::is_supported() && in >= 32 && (out >= 32 || in >= 64);
}

Tensor winograd_convolution(const std::vector<Tensor>& pictures, const WinogradFilter& filter, Enlarge enlarge) {
    RECORD_FUNCTION("kinescope::winograd", {});
    const std::vector<Tensor> frames = plain_frames(pictures);
    const winograd::Layout layout(frames, filter, enlarge);
    const bool by_panels = prefers_panels(layout);
    if (amx_product::is_usable())
        return winograd::amx::convolve(layout, frames, filter, by_panels ? LoopOrder::panels : LoopOrder::tiles);
    return by_panels ? winograd::convolve_by_panels(layout, frames, filter)
                     : winograd::convolve_by_tiles(layout, frames, filter);
}

}  // namespace kinescope
