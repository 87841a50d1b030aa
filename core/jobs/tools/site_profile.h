#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/api/numeric_sample.h"

namespace kinescope {

/// Returns the type of a Torch op ("aten::addmm") or of one of Kinescope's ops ("kinescope::winograd"): "gemm",
/// "attention", "norm", "rope", "convolution", "activation", "elementwise" or "copy". Returns an empty string for other
/// ops.
std::string_view site_of_op(std::string_view op);

/// Seconds by op type.
using SiteSeconds = std::map<std::string, double, std::less<>>;

/// Profiles the ops of the thread that constructs it, during its lifetime. There is at most one per thread. Nested ops
/// count as part of the outer op, so that a convolution's matrix products count as convolution.
class SiteProfile {
public:
    SiteProfile();
    ~SiteProfile();
    SiteProfile(const SiteProfile&) = delete;
    SiteProfile& operator=(const SiteProfile&) = delete;

    /// Assigns the ops that follow to a phase.
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
