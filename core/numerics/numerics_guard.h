#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/api/run_event.h"
#include "core/numerics/precision_overrides.h"

namespace kinescope {

/// The first site whose values are not all finite, in the order in which the sites ran; nullptr: all are.
const NumericSample* first_not_finite(const std::vector<NumericSample>& samples);

/// What to do about the numbers of one attempt.
struct GuardDecision {
    enum class Action { go_on, retry, stop };
    Action action = Action::go_on;
    const NumericSample* offender = nullptr;  ///< into the samples; nullptr: nothing was found
    std::optional<PrecisionOverride> raise;   ///< with `retry`: what runs differently next time
};

/// Pure: the next rung of the ladder for the op that first went wrong, and for nothing else. An op planned in float16
/// is scaled first; float32 follows; then the whole component, if any of it computes in less; then the run stops,
/// because float32 itself is not finite. After kMaxAttempts single ops the whole component is raised at once.
GuardDecision decide(const std::vector<NumericSample>& samples, const PrecisionOverrides& overrides);

inline constexpr int kMaxAttempts = 12;

/// What the guard found and did, as a `guard` record. The decision has an offender.
GuardActed guard_acted(const GuardDecision& decision);

/// The error that ends a run, with the step and the site in words.
Error not_finite_error(const NumericSample& sample);

}  // namespace kinescope
