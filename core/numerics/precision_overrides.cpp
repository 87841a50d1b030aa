#include "core/numerics/precision_overrides.h"

#include <algorithm>

namespace kinescope {

namespace {

/// "blocks.3.ffn" -> "blocks.3" -> "blocks" -> "".
std::string_view parent(std::string_view site) {
    const auto dot = site.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : site.substr(0, dot);
}

using SiteRungs = std::map<std::string, Rung, std::less<>>;

/// Of "blocks.3.ffn.net.2" for "blocks.3.ffn".
Rung highest_inside(const SiteRungs& sites, std::string_view site) {
    const std::string prefix = std::string(site) + ".";
    Rung highest = Rung::planned;
    for (auto it = sites.lower_bound(prefix); it != sites.end() && it->first.starts_with(prefix); ++it)
        highest = std::max(highest, it->second);
    return highest;
}

}  // namespace

std::vector<OverrideRequest> to_requests(const std::vector<PrecisionOverride>& overrides) {
    std::vector<OverrideRequest> requests;
    for (const auto& [component, site, rung] : overrides)
        if (rung != Rung::planned)
            requests.push_back(
                {component, site, rung == Rung::scaled ? RaisedPrecision::scaled : RaisedPrecision::float32});
    return requests;
}

std::vector<PrecisionOverride> from_requests(const std::vector<OverrideRequest>& requests) {
    std::vector<PrecisionOverride> overrides;
    for (const auto& [component, site, precision] : requests)
        overrides.push_back({component, site, precision == RaisedPrecision::scaled ? Rung::scaled : Rung::float32});
    return overrides;
}

void PrecisionOverrides::raise(const PrecisionOverride& override) {
    Rung& rung = components_[override.component][override.site];
    rung = std::max(rung, override.rung);
}

Rung PrecisionOverrides::rung(std::string_view component, std::string_view site) const {
    const auto sites = components_.find(component);
    if (sites == components_.end()) return Rung::planned;
    Rung highest = highest_inside(sites->second, site);
    for (std::string_view part = site;; part = parent(part)) {
        if (const auto found = sites->second.find(part); found != sites->second.end())
            highest = std::max(highest, found->second);
        if (part.empty()) return highest;
    }
}

Rung PrecisionOverrides::rung_of_all(std::string_view component) const {
    const auto sites = components_.find(component);
    if (sites == components_.end()) return Rung::planned;
    const auto all = sites->second.find(std::string_view());
    return all == sites->second.end() ? Rung::planned : all->second;
}

std::vector<PrecisionOverride> PrecisionOverrides::list() const {
    std::vector<PrecisionOverride> all;
    for (const auto& [component, sites] : components_)
        for (const auto& [site, rung] : sites) all.push_back({component, site, rung});
    return all;
}

}  // namespace kinescope
