#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/numeric_error.h"
#include "core/api/run_event.h"
#include "core/numerics/numerics_guard.h"

namespace kinescope {

/// Describes invalid values: "3 NaN and 0 Inf of 4096 values", or "NaN in 4096 values" for statistics with
/// NonFinite::presence, which do not count them.
LocalizableMessage found_in(const TensorStats& stats);

/// Returns the `guard` record of a decision that has an offender, the first sample that is not finite.
GuardActed guard_acted(const GuardDecision& decision);
/// Returns the `guard` record of a finding. Its action is `raise_ahead` if the op is raised starting with the next
/// step, otherwise `warn`.
GuardActed guard_acted(const Finding& finding);
/// Returns the `guard` record of an error that stops the run or moves a component to the CPU.
GuardActed guard_acted(const NumericError& error, GuardAction action);
/// The `guard` record of a component that is raised because its result differs too much from float32. `cause`: the
/// record of the op that led to the comparison; `decibels`: between the result in float32 and the difference.
GuardActed guard_mistrusted(GuardActed cause, double decibels);
/// The `guard` record of a component whose result agrees with float32 in this step, but may agree less in later steps.
/// The arguments are the same.
GuardActed guard_unsteady(GuardActed cause, double decibels);
/// The `guard` record of a component whose result could not be compared with float32, because memory did not suffice.
/// `cause`: the record of the op that led to the comparison.
GuardActed guard_not_compared(GuardActed cause);
/// The `guard` record of an override that an earlier run learned.
GuardActed guard_learned(const PrecisionOverride& override);

/// Returns the record in the form that GuardMode::observe reports: without a change of precision.
GuardActed as_observed(GuardActed record);

/// Describes a remedy that did not help, for the error that ends the run: "transformer.blocks.1.ffn: repeated (float16
/// -> float32)".
std::string attempt_in_words(const GuardActed& record);

/// Returns the first record about values that are not finite, or nullopt if there is none.
std::optional<GuardActed> first_not_finite(const std::vector<GuardActed>& records);

}  // namespace kinescope
