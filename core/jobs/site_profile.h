#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/api/numeric_sample.h"

namespace kinescope {

/// What kind of work an op of Torch ("aten::addmm") or of ours ("kinescope::winograd") is: "gemm", "attention", "norm",
/// "rope", "convolution", "activation", "elementwise", "copy"; empty for all else.
std::string_view site_of_op(std::string_view op);

/// Seconds by kind of work.
using SiteSeconds = std::map<std::string, double, std::less<>>;

/// Notes what the ops of the thread that made it take, for as long as it lives: one at a time in a thread. What an op
/// calls counts as its own, so that the products within a convolution are convolution.
class SiteProfile {
public:
    SiteProfile();
    ~SiteProfile();
    SiteProfile(const SiteProfile&) = delete;
    SiteProfile& operator=(const SiteProfile&) = delete;

    /// What comes now belongs to this phase.
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
