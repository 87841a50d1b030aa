#include <ATen/ATen.h>

#include <algorithm>

#include "core/nn/cpu/winograd_loops.h"

namespace kinescope::winograd {

namespace {

/// Returns float32 [outs, ins, 3, 3] with contiguous 3x3 filters, as transform_weight requires.
Tensor plain_filters(const Tensor& weight) {
    const auto wide = weight.to(at::kFloat);
    const bool is_plain = wide.stride(3) == 1 && wide.stride(2) == 3 && wide.stride(1) == 9;
    return is_plain ? wide : wide.contiguous();
}

}  // namespace

void transform(const Layout& layout, const WinogradFilter& filter, const FilterPart& part, float* values,
               std::int64_t plane, std::int64_t panel) {
    const auto first_out = part.first_panel * kPanelColumns;
    const auto outs = std::min(part.panels * kPanelColumns, layout.out - first_out);
    const auto channel = part.tap * layout.in + part.first_channel;
    // Only this part of a 16-bit weight is widened at a time.
    const auto weight = plain_filters(filter.weight.narrow(0, first_out, outs).narrow(1, channel, part.channels));
    for (std::int64_t o = 0; o < part.panels * kPanelColumns; o += kLanes)
        transform_weight(layout.points,
                         {.weight = weight.const_data_ptr<float>() + std::min(o, outs) * weight.stride(0),
                          .out_stride = weight.stride(0),
                          .outs = std::clamp<std::int64_t>(outs - o, 0, kLanes),
                          .ins = part.channels},
                         values + o / kPanelColumns * panel + o % kPanelColumns, plane);
}

}  // namespace kinescope::winograd
