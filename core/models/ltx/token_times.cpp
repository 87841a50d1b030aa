#include "core/models/ltx/token_times.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/nn/modulation.h"
#include "core/nn/norm.h"

namespace kinescope::ltx {

namespace {

/// Concatenates the results of `work(first token, count, row)`, which returns the part [1, count, dim] of a segment.
template <class Work>
Tensor by_segment(const std::vector<TokenSegment>& segments, const Work& work) {
    std::vector<Tensor> parts;
    std::int64_t first = 0;
    for (const auto& [tokens, row] : segments) {
        parts.push_back(work(first, tokens, row));
        first += tokens;
    }
    return parts.size() == 1 ? parts.front() : at::cat(parts, 1);
}

/// Returns the index of a timestep in the list of distinct timesteps. Adds the timestep if it is new.
std::int64_t row_of(std::vector<double>& timesteps, double timestep) {
    const auto found = std::ranges::find(timesteps, timestep);
    const auto row = found - timesteps.begin();
    if (found == timesteps.end()) timesteps.push_back(timestep);
    return row;
}

}  // namespace

TokenTimes token_times(double timestep, const Tensor& mask, std::int64_t tokens) {
    TokenTimes times;
    if (!mask.defined()) return {.timesteps = {timestep}, .segments = {{.tokens = tokens, .row = 0}}};
    const auto values = mask.to(at::kCPU, at::kFloat).contiguous();
    const auto* const held = values.const_data_ptr<float>();
    for (std::int64_t i = 0; i < tokens; ++i) {
        if (i > 0 && held[i] == held[i - 1]) {
            ++times.segments.back().tokens;
            continue;
        }
        const auto limit = static_cast<double>((1.0F - held[i]) * 1000.0F);
        times.segments.push_back({.tokens = 1, .row = row_of(times.timesteps, std::min(timestep, limit))});
    }
    return times;
}

Tensor modulated_rms_norm(const Tensor& x, double eps, const Modulation& modulation,
                          const std::vector<TokenSegment>& segments) {
    return by_segment(segments, [&](std::int64_t first, std::int64_t count, std::int64_t row) {
        const RMSNorm norm(modulation.scale[row] + 1.0, eps, {.device = x.device()});
        return norm(x.narrow(1, first, count)).add_(modulation.shift[row]);
    });
}

Tensor modulated_norm(const Tensor& x, double eps, const Modulation& modulation,
                      const std::vector<TokenSegment>& segments) {
    return by_segment(segments, [&](std::int64_t first, std::int64_t count, std::int64_t row) {
        return modulated_layer_norm(x.narrow(1, first, count), {.eps = eps}, {.others = modulation.scale[row]},
                                    {.others = modulation.shift[row]});
    });
}

Tensor add_gated(const Tensor& x, const Tensor& update, const Tensor& gate, const std::vector<TokenSegment>& segments) {
    return by_segment(segments, [&](std::int64_t first, std::int64_t count, std::int64_t row) {
        return kinescope::add_gated(x.narrow(1, first, count), update.narrow(1, first, count), {.others = gate[row]});
    });
}

}  // namespace kinescope::ltx
