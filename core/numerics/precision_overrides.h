#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/video_request.h"
#include "core/device/op_precision.h"

namespace kinescope {

/// One op, or all below a site ("blocks.3"), or with an empty site a whole component, raised above the policy.
struct PrecisionOverride {
    std::string component;
    std::string site;
    Rung rung = Rung::planned;
    bool operator==(const PrecisionOverride&) const = default;
};

/// As a request spells them.
std::vector<OverrideRequest> to_requests(const std::vector<PrecisionOverride>& overrides);
std::vector<PrecisionOverride> from_requests(const std::vector<OverrideRequest>& requests);

/// What the guard has raised so far in a run.
class PrecisionOverrides {
public:
    /// The higher rung stays.
    void raise(const PrecisionOverride& override);
    /// The highest rung of the site, of everything above it and of everything inside of it: what went wrong inside of
    /// an op is cured by raising the op.
    Rung rung(std::string_view component, std::string_view site) const;
    /// Of a whole component.
    Rung rung_of_all(std::string_view component) const;
    std::vector<PrecisionOverride> list() const;

private:
    std::map<std::string, std::map<std::string, Rung, std::less<>>, std::less<>> components_;
};

}  // namespace kinescope
