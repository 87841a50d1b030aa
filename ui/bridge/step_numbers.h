#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/api/numeric_sample.h"

namespace kinescope::ui {

/// The worst values of one site in one step, over all branches.
struct SiteNumbers {
    std::string site;
    std::string component;
    ComputePrecision precision;
    double maxAbs = 0;
    double headroomStops = 0;
    std::int64_t nonFinite = 0;
    /// false: nonFinite is the least number, because the device only shows whether there are any.
    bool isCounted = true;
};

/// Summary of a step's samples: one entry per site, in execution order.
struct StepNumbers {
    Phase phase = Phase::denoise;
    int step = 0;
    int attempt = 0;
    std::vector<SiteNumbers> sites;

    void add(const NumericSample& sample);
    /// Returns the site with the least headroom, or nullptr if there are no samples.
    const SiteNumbers* tightest() const;
    /// Returns the first site with NaN or infinity, or nullptr if all values are finite.
    const SiteNumbers* firstNonFinite() const;
    std::int64_t nonFinite() const;
    /// Returns false if nonFinite() is only the least number.
    bool isCounted() const;
};

/// Groups samples by step, keeping their order.
std::vector<StepNumbers> digest(const std::vector<NumericSample>& samples);

}  // namespace kinescope::ui
