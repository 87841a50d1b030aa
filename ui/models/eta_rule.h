#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/api/engine.h"

namespace kinescope::ui {

inline constexpr int kNumPhases = 5;
inline constexpr int kEtaSteps = 5;        ///< number of recent steps that the estimate uses
inline constexpr int kEtaStepsNeeded = 2;  ///< steps needed for an estimate without a plan

/// Seconds of each phase, in the order of Phase.
using PhaseSeconds = std::array<double, kNumPhases>;

/// Returns the planned seconds per phase of one part, or nullopt if the plan has no times. The rest of the total time
/// counts as loading.
std::optional<PhaseSeconds> plannedSeconds(const Plan& plan);

/// The progress of a run.
struct RunProgress {
    Phase phase = Phase::load;
    double secondsInPhase = 0;
    int done = 0;
    int total = 0;
    std::vector<double> stepSeconds;  ///< seconds of each completed step
    int stepsBefore = 0;  ///< steps completed in an earlier session, with unknown times, or in earlier parts
    int numSteps = 0;
    int stepsReused = 0;        ///< completed steps that reused an earlier prediction
    double previewSeconds = 0;  ///< of previews by a tiny decoder
    int doneBefore = 0;         ///< part of `done` from before the phase
    int part = 0;               ///< index of the part of a long video that is made now
    int numParts = 1;
    int stepsOfLaterParts = 0;    ///< steps of `numSteps` that belong to the parts after this one
    int stepsOfPartsHere = 0;     ///< those of `stepsBefore` that were completed in this session
    double secondsSinceStep = 0;  ///< since the last step ended, or since the phase began
};

/// Returns the expected seconds per phase of a part. Measured steps take precedence over the plan.
std::optional<PhaseSeconds> adjusted(std::optional<PhaseSeconds> expected, const RunProgress& progress);

/// Returns the remaining seconds of the current phase, or nullopt if they are unknown.
std::optional<double> phaseSecondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress);

/// Returns the remaining seconds of the run, or nullopt if they are unknown.
std::optional<double> secondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress);

}  // namespace kinescope::ui
