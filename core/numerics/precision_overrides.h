#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/video_request.h"
#include "core/device/op_precision.h"

namespace kinescope {

/// An op, all ops below a site ("blocks.3"), or a whole component (empty site), computed on a higher level than
/// planned.
struct PrecisionOverride {
    std::string component;
    std::string site;
    PrecisionLevel level = PrecisionLevel::planned;
    bool operator==(const PrecisionOverride&) const = default;
};

/// Converts overrides to and from the form that requests use.
std::vector<OverrideRequest> to_requests(const std::vector<PrecisionOverride>& overrides);
std::vector<PrecisionOverride> from_requests(const std::vector<OverrideRequest>& requests);

/// The sites whose precision the guard has raised so far in a run, and their levels.
class PrecisionOverrides {
public:
    /// Raises a site. If it is already raised, keeps the higher level.
    void raise(const PrecisionOverride& override);
    /// Returns the highest level among the site, its parents and its inner sites, because a fault inside an op is
    /// healed by raising the op.
    PrecisionLevel level(std::string_view component, std::string_view site) const;
    /// Returns the level of a component as a whole.
    PrecisionLevel level_of_all(std::string_view component) const;
    std::vector<PrecisionOverride> list() const;

private:
    std::map<std::string, std::map<std::string, PrecisionLevel, std::less<>>, std::less<>> components_;
};

}  // namespace kinescope
