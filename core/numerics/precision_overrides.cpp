#include "core/numerics/precision_overrides.h"

#include <algorithm>

namespace kinescope {

namespace {

/// "blocks.3.ffn" -> "blocks.3" -> "blocks" -> "".
std::string_view parent(std::string_view site) {
    const auto dot = site.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : site.substr(0, dot);
}

}  // namespace

void PrecisionOverrides::raise(const PrecisionOverride& override) {
    Rung& rung = components_[override.component][override.site];
    rung = std::max(rung, override.rung);
}

Rung PrecisionOverrides::rung(std::string_view component, std::string_view site) const {
    const auto sites = components_.find(component);
    if (sites == components_.end()) return Rung::planned;
    Rung highest = Rung::planned;
    for (std::string_view part = site;; part = parent(part)) {
        if (const auto found = sites->second.find(part); found != sites->second.end())
            highest = std::max(highest, found->second);
        if (part.empty()) return highest;
    }
}

std::vector<PrecisionOverride> PrecisionOverrides::list() const {
    std::vector<PrecisionOverride> all;
    for (const auto& [component, sites] : components_)
        for (const auto& [site, rung] : sites) all.push_back({component, site, rung});
    return all;
}

}  // namespace kinescope
