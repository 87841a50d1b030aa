#pragma once

#include <optional>

#include "core/numerics/detectors.h"
#include "core/numerics/precision_overrides.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Returns the first sample with NaN or infinity, in the order in which the sites ran, or nullptr if there is none.
const NumericSample* first_not_finite(const Samples& samples);

/// Whether the device returns the same bits when it repeats the same work.
enum class Kernels { repeatable, varying };

/// One attempt at a transaction, and the guard's state during it.
struct GuardInput {
    const Samples& samples;
    const PrecisionOverrides& overrides;
    Watch watch = Watch::ops;  ///< the sites that were observed
    Kernels kernels = Kernels::repeatable;
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;  ///< current mode
    int failures = 0;  ///< earlier attempts of this transaction whose values were not finite
};

/// The guard's decision about the values of one attempt.
struct GuardDecision {
    enum class Action {
        go_on,
        repeat,  ///< run it again unchanged and watch every op, to locate the fault or because a transient fault may
                 ///< disappear
        safe_switches,  ///< accumulate in float32, then run it again
        raise,          ///< raise an op or a component, then run it again
        stop,           ///< nothing is left to raise
    };
    Action action = Action::go_on;
    const NumericSample* offender = nullptr;  ///< points into the samples; nullptr for `go_on`
    std::optional<PrecisionOverride> raise;   ///< set for `raise`
};

/// Decides about an attempt by its first sample that is not finite. In this order: repeats the first failure if it was
/// not watched op by op or if kernels vary; turns half accumulation off; raises an op planned in float16 to scaled
/// operands; raises the op to float32; raises the whole component if some op in it computes below float32; stops. After
/// kMaxAttempts failures, it no longer raises single ops. Pure.
GuardDecision decide(const GuardInput& input);

/// Most attempts of a transaction in which single ops are raised. Values that are not finite and rounding errors have
/// this number each.
inline constexpr int kMaxAttempts = 12;

/// Returns the next level above that of a sample; nullopt if the sample was computed in float32.
std::optional<PrecisionLevel> next_level(const NumericSample& sample);
/// Returns next_level(sample), but float32 for a sample that was computed in float32, because its weight may be
/// quantized.
PrecisionLevel raised_level(const NumericSample& sample);

}  // namespace kinescope
