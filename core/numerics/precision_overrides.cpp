#include "core/numerics/precision_overrides.h"

#include <algorithm>

namespace kinescope {

namespace {

/// Returns the site without its last part: "blocks.3.ffn" -> "blocks.3" -> "blocks" -> "".
std::string_view parent(std::string_view site) {
    const auto dot = site.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : site.substr(0, dot);
}

using SiteLevels = std::map<std::string, PrecisionLevel, std::less<>>;

/// Returns the highest level of a site inside `site`, e.g. of "blocks.3.ffn.net.2" for "blocks.3.ffn".
PrecisionLevel highest_inside(const SiteLevels& sites, std::string_view site) {
    const std::string prefix = std::string(site) + ".";
    PrecisionLevel highest = PrecisionLevel::planned;
    for (auto it = sites.lower_bound(prefix); it != sites.end() && it->first.starts_with(prefix); ++it)
        highest = std::max(highest, it->second);
    return highest;
}

}  // namespace

std::vector<OverrideRequest> to_requests(const std::vector<PrecisionOverride>& overrides) {
    std::vector<OverrideRequest> requests;
    for (const auto& [component, site, level] : overrides)
        if (level != PrecisionLevel::planned)
            requests.push_back({component, site,
                                level == PrecisionLevel::scaled ? RaisedPrecision::scaled : RaisedPrecision::float32});
    return requests;
}

std::vector<PrecisionOverride> from_requests(const std::vector<OverrideRequest>& requests) {
    std::vector<PrecisionOverride> overrides;
    for (const auto& [component, site, precision] : requests)
        overrides.push_back(
            {component, site, precision == RaisedPrecision::scaled ? PrecisionLevel::scaled : PrecisionLevel::float32});
    return overrides;
}

void PrecisionOverrides::raise(const PrecisionOverride& override) {
    PrecisionLevel& level = components_[override.component][override.site];
    level = std::max(level, override.level);
}

PrecisionLevel PrecisionOverrides::level(std::string_view component, std::string_view site) const {
    const auto sites = components_.find(component);
    if (sites == components_.end()) return PrecisionLevel::planned;
    PrecisionLevel highest = highest_inside(sites->second, site);
    for (std::string_view part = site;; part = parent(part)) {
        if (const auto found = sites->second.find(part); found != sites->second.end())
            highest = std::max(highest, found->second);
        if (part.empty()) return highest;
    }
}

PrecisionLevel PrecisionOverrides::level_of_all(std::string_view component) const {
    const auto sites = components_.find(component);
    if (sites == components_.end()) return PrecisionLevel::planned;
    const auto all = sites->second.find(std::string_view());
    return all == sites->second.end() ? PrecisionLevel::planned : all->second;
}

std::vector<PrecisionOverride> PrecisionOverrides::list() const {
    std::vector<PrecisionOverride> all;
    for (const auto& [component, sites] : components_)
        for (const auto& [site, level] : sites) all.push_back({component, site, level});
    return all;
}

}  // namespace kinescope
