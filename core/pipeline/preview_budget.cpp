#include "core/pipeline/preview_budget.h"

namespace kinescope {

std::optional<std::size_t> choose_preview(const std::vector<double>& costs, const PreviewTimes& times) {
    if (costs.empty()) return std::nullopt;
    const std::size_t cheapest = costs.size() - 1;
    if (times.seconds_per <= 0) return cheapest;
    const double left = kPreviewShare * times.steps - times.previews;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const double seconds = costs[i] * times.seconds_per;
        if (seconds <= left && (i == cheapest || seconds <= kPreviewShare * times.last_step)) return i;
    }
    return std::nullopt;
}

}  // namespace kinescope
