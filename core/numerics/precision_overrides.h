#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/video_request.h"
#include "core/device/op_precision.h"

namespace kinescope {

/// An op, everything below a site ("blocks.3"), or a whole component (empty site) that computes on a higher level than
/// planned.
struct PrecisionOverride {
    std::string component;
    std::string site;
    PrecisionLevel level = PrecisionLevel::planned;
    bool operator==(const PrecisionOverride&) const = default;
};

/// Convert overrides to and from the form that requests use.
std::vector<OverrideRequest> to_requests(const std::vector<PrecisionOverride>& overrides);
std::vector<PrecisionOverride> from_requests(const std::vector<OverrideRequest>& requests);

/// The sites whose precision the guard has raised so far in a run, and their levels.
class PrecisionOverrides {
public:
    /// Keeps the higher level if the site is raised already.
    void raise(const PrecisionOverride& override);
    /// The highest level among the site, its parents and its inner sites, because a fault inside an op is healed by
    /// raising the op.
    PrecisionLevel level(std::string_view component, std::string_view site) const;
    /// The level of a component as a whole.
    PrecisionLevel level_of_all(std::string_view component) const;
    std::vector<PrecisionOverride> list() const;

private:
    std::map<std::string, std::map<std::string, PrecisionLevel, std::less<>>, std::less<>> components_;
};

}  // namespace kinescope
