#include "ui/bridge/step_numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kinescope::ui {

void StepNumbers::add(const NumericSample& sample) {
    const std::int64_t non_finite = sample.stats.nan + sample.stats.inf;
    const bool isCounted = std::isfinite(sample.stats.min) && std::isfinite(sample.stats.max);
    const double headroom = non_finite > 0 ? 0 : sample.headroom_stops;
    auto same = std::find_if(sites.begin(), sites.end(), [&](const SiteNumbers& known) {
        return known.site == sample.site && known.component == sample.component;
    });
    if (same == sites.end()) {
        sites.push_back(
            {sample.site, sample.component, sample.precision, sample.stats.max_abs, headroom, non_finite, isCounted});
        return;
    }
    same->maxAbs = std::max(same->maxAbs, sample.stats.max_abs);
    same->headroomStops = std::min(same->headroomStops, headroom);
    same->nonFinite += non_finite;
    same->isCounted = same->isCounted && isCounted;
}

const SiteNumbers* StepNumbers::tightest() const {
    auto found = std::min_element(sites.begin(), sites.end(), [](const SiteNumbers& a, const SiteNumbers& b) {
        return a.headroomStops < b.headroomStops;
    });
    return found == sites.end() ? nullptr : &*found;
}

const SiteNumbers* StepNumbers::firstNonFinite() const {
    auto found = std::find_if(sites.begin(), sites.end(), [](const SiteNumbers& site) { return site.nonFinite > 0; });
    return found == sites.end() ? nullptr : &*found;
}

std::int64_t StepNumbers::nonFinite() const {
    return std::accumulate(sites.begin(), sites.end(), std::int64_t{0},
                           [](std::int64_t sum, const SiteNumbers& site) { return sum + site.nonFinite; });
}

bool StepNumbers::isCounted() const {
    return std::ranges::all_of(sites, &SiteNumbers::isCounted);
}

std::vector<StepNumbers> digest(const std::vector<NumericSample>& samples) {
    std::vector<StepNumbers> steps;
    for (const NumericSample& sample : samples) {
        const bool same = !steps.empty() && steps.back().phase == sample.phase && steps.back().step == sample.step &&
                          steps.back().attempt == sample.attempt;
        if (!same) steps.push_back({sample.phase, sample.step, sample.attempt, {}});
        steps.back().add(sample);
    }
    return steps;
}

}  // namespace kinescope::ui
