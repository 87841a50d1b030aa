#pragma once

#include <optional>

#include "core/numerics/detectors.h"
#include "core/numerics/precision_overrides.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// The first sample with NaN or infinity, in the order in which the sites ran; nullptr if there is none.
const NumericSample* first_not_finite(const Samples& samples);

/// `repeatable`: the device returns the same bits when it repeats the same work.
enum class Kernels { repeatable, varying };

/// One attempt at a transaction, and the guard's state during it.
struct GuardInput {
    const Samples& samples;
    const PrecisionOverrides& overrides;
    Watch watch = Watch::ops;  ///< the sites that were observed
    Kernels kernels = Kernels::repeatable;
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;  ///< current mode
};

/// The guard's decision about the values of one attempt.
struct GuardDecision {
    enum class Action {
        go_on,
        repeat,  ///< run it again unchanged and watch every op: this locates the fault, or a transient fault disappears
        safe_switches,  ///< accumulate in float32, then run it again
        raise,          ///< raise an op or a component, then run it again
        stop,           ///< nothing is left to raise
    };
    Action action = Action::go_on;
    const NumericSample* offender = nullptr;  ///< points into the samples; nullptr with `go_on`
    std::optional<PrecisionOverride> raise;   ///< set with `raise`
};

/// Pure. Looks for the first sample that is not finite. In this order: repeats an attempt that was not watched op by op
/// or whose kernels vary; switches half accumulation off; scales an op planned in float16; raises the op to float32;
/// raises the whole component, if anything in it computes below float32; stops. After kMaxAttempts attempts it raises
/// the whole component at once.
GuardDecision decide(const GuardInput& input);

inline constexpr int kMaxAttempts = 12;

/// Returns the next level above that of a sample; nullopt if the sample was computed in float32.
std::optional<PrecisionLevel> next_level(const NumericSample& sample);
/// The same, but float32 for a sample that was computed in float32, because its weight may be quantized.
PrecisionLevel raised_level(const NumericSample& sample);

}  // namespace kinescope
