#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/api/numeric_sample.h"

namespace kinescope {

/// Returns the type of a Torch op ("aten::addmm") or of an own op ("kinescope::winograd"): "gemm", "attention", "norm",
/// "rope", "convolution", "activation", "elementwise", "copy"; empty for others.
std::string_view site_of_op(std::string_view op);

/// Seconds by op type.
using SiteSeconds = std::map<std::string, double, std::less<>>;

/// Profiles the ops of the constructing thread during its lifetime; at most one per thread. Nested ops count as part of
/// the outer op, so that a convolution's matrix products count as convolution.
class SiteProfile {
public:
    SiteProfile();
    ~SiteProfile();
    SiteProfile(const SiteProfile&) = delete;
    SiteProfile& operator=(const SiteProfile&) = delete;

    /// Assigns the following ops to a phase.
    void begin(Phase phase) { phase_ = phase; }
    const std::map<Phase, SiteSeconds>& seconds() const { return seconds_; }

private:
    friend struct OpObserver;

    Phase phase_ = Phase::load;
    std::map<Phase, SiteSeconds> seconds_;
    bool is_within_op_ = false;
    std::uint64_t callback_ = 0;
};

}  // namespace kinescope
