#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/api/numeric_error.h"
#include "core/api/run_event.h"
#include "core/numerics/detectors.h"

namespace kinescope {

/// The facts about a run that has to stop.
struct StopReport {
    const NumericSample& offender;
    const Samples& samples;                 ///< samples of the last attempt
    const std::vector<std::string>& tried;  ///< remedies, in words
    const std::string& device;
    const std::map<std::string, std::string>& libraries;
};

/// Returns the error that ends a run whose values are not finite. Its additional arguments: branch, tried, trace (the
/// largest value at each of the last sites before the fault), device, libraries.
NumericError not_finite_error(const StopReport& report);

/// Returns the error of a run in GuardMode::observe whose frames failed with `end`. `first` is the first record about
/// values that are not finite, the likely cause. Additional arguments: guard ("observe"), nan, inf, count.
NumericError observed_error(const GuardActed& first, const Error& end);

}  // namespace kinescope
