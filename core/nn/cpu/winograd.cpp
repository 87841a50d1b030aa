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

/// Returns the filter with a weight that transform() reads in place, without a copy if possible.
WinogradFilter readable(const WinogradFilter& filter) {
    const auto dtype = filter.weight.scalar_type();
    const bool has_known_type = dtype == at::kFloat || dtype == at::kBFloat16 || dtype == at::kHalf;
    const Tensor weight = has_known_type ? filter.weight : filter.weight.to(at::kFloat);
    const bool has_plain_filters = weight.stride(4) == 1 && weight.stride(3) == 3;
    return {.weight = has_plain_filters ? weight : weight.contiguous(), .bias = filter.bias};
}

}  // namespace

bool winograd_pays(std::int64_t in, std::int64_t out) {
    return gemm_kernel::is_supported() && in >= 32 && (out >= 32 || in >= 64);
}

std::int64_t transformed_filter_bytes(std::int64_t in, std::int64_t out, std::int64_t taps) {
    constexpr std::int64_t kValues = 16;
    const auto outs = round_up(out, gemm_kernel::kPanelColumns);
    if (!amx_product::is_usable())
        return kValues * taps * round_up(in, kLanes) * outs * static_cast<std::int64_t>(sizeof(float));
    const auto panel = amx_product::bytes_of_panel(in, amx_product::Parts::three);
    return kValues * taps * outs / amx_product::kColumns * panel;
}

Tensor winograd_convolution(const std::vector<Tensor>& pictures, const WinogradFilter& stored, Enlarge enlarge) {
    RECORD_FUNCTION("kinescope::winograd", {});
    const WinogradFilter filter = readable(stored);
    const std::vector<Tensor> frames = plain_frames(pictures);
    const winograd::Layout layout(frames, filter, enlarge);
    const bool by_panels = prefers_panels(layout);
    if (amx_product::is_usable())
        return winograd::amx::convolve(layout, frames, filter, by_panels ? LoopOrder::panels : LoopOrder::tiles);
    return by_panels ? winograd::convolve_by_panels(layout, frames, filter)
                     : winograd::convolve_by_tiles(layout, frames, filter);
}

}  // namespace kinescope
