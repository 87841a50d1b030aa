#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/api/numeric_sample.h"

namespace kinescope::ui {

/// The worst value that one place showed in one step, all branches together.
struct SiteNumbers {
    std::string site;
    std::string component;
    std::string dtype;
    double maxAbs = 0;
    double headroomStops = 0;
    std::int64_t nonFinite = 0;
};

/// What the window keeps of a step's samples: one entry for each place, in the order in which they ran.
struct StepNumbers {
    Phase phase = Phase::denoise;
    int step = 0;
    int attempt = 0;
    std::vector<SiteNumbers> sites;

    void add(const NumericSample& sample);
    /// The place that is nearest to the largest number of its type; null when nothing was measured.
    const SiteNumbers* tightest() const;
    /// The first place with a value that is not finite; null when all are.
    const SiteNumbers* firstNonFinite() const;
    std::int64_t nonFinite() const;
};

/// Samples sorted into steps; the order of the steps is kept.
std::vector<StepNumbers> digest(const std::vector<NumericSample>& samples);

}  // namespace kinescope::ui
