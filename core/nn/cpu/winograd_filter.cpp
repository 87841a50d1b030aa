#include <ATen/ATen.h>

#include <algorithm>

#include "core/nn/cpu/stored_type.h"
#include "core/nn/cpu/winograd_loops.h"

namespace kinescope::winograd {

void transform(const Layout& layout, const WinogradFilter& filter, const FilterPart& part, float* values,
               std::int64_t plane, std::int64_t panel) {
    const Tensor& weight = filter.weight;
    const auto first_out = part.first_panel * kPanelColumns;
    const auto outs = std::min(part.panels * kPanelColumns, layout.out - first_out);
    const auto begin = part.first_channel * weight.stride(1) + part.tap * weight.stride(2);
    const auto end = (weight.size(0) - 1) * weight.stride(0) + (weight.size(1) - 1) * weight.stride(1) +
                     (weight.size(2) - 1) * weight.stride(2) + weight.size(3) * weight.size(4);
    with_stored_type(weight, [&](auto number) {
        using T = decltype(number);
        for (std::int64_t o = 0; o < part.panels * kPanelColumns; o += kLanes) {
            const auto offset = (first_out + std::min(o, outs - 1)) * weight.stride(0) + begin;
            transform_weight(layout.points,
                             Filters<T>{.weight = weight.const_data_ptr<T>() + offset,
                                        .out_stride = weight.stride(0),
                                        .in_stride = weight.stride(1),
                                        .outs = std::clamp<std::int64_t>(outs - o, 0, kLanes),
                                        .ins = part.channels,
                                        .readable = end - offset},
                             values + o / kPanelColumns * panel + o % kPanelColumns, plane);
        }
    });
}

}  // namespace kinescope::winograd
