#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/api/run_event.h"
#include "core/numerics/detectors.h"
#include "core/numerics/precision_overrides.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// The first site whose values are not all finite, in the order in which the sites ran; nullptr: all are.
const NumericSample* first_not_finite(const Samples& samples);

/// Whether the same work gives the same bits again on this device.
enum class Kernels { repeatable, varying };

/// One attempt at a transaction, and what has been tried so far.
struct GuardInput {
    const Samples& samples;
    const PrecisionOverrides& overrides;
    Watch watch = Watch::ops;  ///< how closely the attempt was looked at
    Kernels kernels = Kernels::repeatable;
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;  ///< as it is now
};

/// What to do about the numbers of one attempt.
struct GuardDecision {
    enum class Action {
        go_on,
        repeat,         ///< unchanged, looking at every op: names the offender, or shows that it was a passing fault
        safe_switches,  ///< accumulate in float32, then run it again
        raise,          ///< raise an op, then run it again
        stop,           ///< float32 itself is not finite
    };
    Action action = Action::go_on;
    const NumericSample* offender = nullptr;  ///< into the samples; nullptr: nothing was found
    std::optional<PrecisionOverride> raise;   ///< with `raise`
};

/// Pure: the next rung of the ladder for the op that first went wrong, and for nothing else. An attempt that was not
/// looked at closely, or that may come out differently, is repeated. Then half accumulation is switched off; then an op
/// planned in float16 is scaled; float32 follows; then the whole component, if any of it computes in less; then the
/// run stops. After kMaxAttempts single ops the whole component is raised at once.
GuardDecision decide(const GuardInput& input);

inline constexpr int kMaxAttempts = 12;

/// The rung above the one that a sample was computed on; nullopt: it computes in float32 already.
std::optional<Rung> next_rung(const NumericSample& sample);

/// What the guard found and did, as a `guard` record. The decision has an offender.
GuardActed guard_acted(const GuardDecision& decision);
/// A `guard` record of an attempt that did not help, for the error that ends the run:
/// "transformer.blocks.1.ffn: repeated (float16 -> float32)".
std::string attempt_in_words(const GuardActed& record);
/// What a detector found, as a `guard` record whose action is `warn` or `raise_ahead`.
GuardActed guard_acted(const Finding& finding);

/// What an error says that carries a place in its arguments, as a `guard` record.
GuardActed acted_on_error(const Error& error, GuardAction action);

/// What was written down first of values that are not finite; nullopt: nothing.
std::optional<GuardActed> first_not_finite(const std::vector<GuardActed>& records);
/// An error of detector S9.
bool is_about_frames(const Error& error);
/// The error of a run in which the guard only observed: the frames failed with `end` because of what was seen `first`.
/// Its arguments: guard ("observe"), phase, step, site, detector, dtype, found, nan, inf, count.
Error observed_error(const GuardActed& first, const Error& end);

/// An override learned by an earlier run, as a `guard` record.
GuardActed guard_learned(const PrecisionOverride& override);

/// What a run that must stop has to say.
struct StopReport {
    const NumericSample& offender;
    const Samples& samples;                 ///< of the last attempt
    const std::vector<std::string>& tried;  ///< the rungs, in words
    const std::string& device;
    const std::map<std::string, std::string>& libraries;
};

/// The error that ends a run. Its arguments: phase, step, component, site, branch, dtype, detector, found, tried, trace
/// (the largest value at each site on the way there), device, libraries.
Error not_finite_error(const StopReport& report);

}  // namespace kinescope
