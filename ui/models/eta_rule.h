#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/api/engine.h"

namespace kinescope::ui {

inline constexpr int kNumPhases = 5;
inline constexpr int kEtaSteps = 5;        ///< the last steps that the rest of the denoising is judged by
inline constexpr int kEtaStepsNeeded = 2;  ///< before that many steps nothing is known of a new kind of run

/// Seconds of each phase, in the order of Phase.
using PhaseSeconds = std::array<double, kNumPhases>;

/// Seconds of each phase as the plan guesses them; what it counts beyond its phases is loading. Nothing when it knows
/// no time.
std::optional<PhaseSeconds> plannedSeconds(const Plan& plan);

/// Where a run is now.
struct RunProgress {
    Phase phase = Phase::load;
    double secondsInPhase = 0;
    int done = 0;
    int total = 0;
    std::vector<double> stepSeconds;  ///< of the steps that are done
    int stepsBefore = 0;              ///< done by an earlier program, in a time that is not known
    int numSteps = 0;
    int stepsReused = 0;  ///< of those that are done: with an earlier one's prediction
};

/// Seconds of the phases as they are expected now: steps that were measured win over what was learned.
std::optional<PhaseSeconds> adjusted(std::optional<PhaseSeconds> expected, const RunProgress& progress);

/// Seconds left of the current phase; nothing: not known yet.
std::optional<double> phaseSecondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress);

/// Seconds left of the whole run; nothing: not known yet.
std::optional<double> secondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress);

}  // namespace kinescope::ui
