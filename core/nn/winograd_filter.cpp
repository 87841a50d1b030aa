#include <ATen/ATen.h>

#include <algorithm>

#include "core/nn/winograd_ways.h"

namespace kinescope::winograd {

void transform(const Layout& layout, const WinogradFilter& filter, const FilterPart& part, float* values,
               std::int64_t plane, std::int64_t strip) {
    const auto first_out = part.first_strip * kStrip;
    const auto outs = std::min(part.strips * kStrip, layout.out - first_out);
    const auto channel = part.tap * layout.in + part.first_channel;
    // Of 16 bits: a part of it is widened at a time.
    const auto weight = filter.weight.narrow(0, first_out, outs).narrow(1, channel, part.channels).to(at::kFloat);
    for (std::int64_t o = 0; o < part.strips * kStrip; o += kLanes)
        transform_weight(layout.points,
                         {.weight = weight.const_data_ptr<float>() + std::min(o, outs) * weight.stride(0),
                          .out_stride = weight.stride(0),
                          .outs = std::clamp<std::int64_t>(outs - o, 0, kLanes),
                          .ins = part.channels},
                         values + o / kStrip * strip + o % kStrip, plane);
}

}  // namespace kinescope::winograd
