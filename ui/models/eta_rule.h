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

/// Returns the planned seconds per phase of all parts, or nullopt if the plan has no times. The rest of the total time
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
    int stepsOfAllParts = 0;           ///< as the request says; 0: unknown
    int stepsOfEarlierParts = 0;       ///< of the parts before this one
    int stepsOfLaterParts = 0;         ///< of the parts after this one
    double earlierSecondsPerStep = 0;  ///< of the steps before those in `stepSeconds`; 0: unknown
    int stepsOfPartsHere = 0;          ///< those of `stepsBefore` that were completed in this session
    double secondsSinceStep = 0;       ///< since the last step ended, or since the phase began
};

/// The expected seconds of each phase.
struct ExpectedSeconds {
    PhaseSeconds part{};   ///< of the part that is made now
    PhaseSeconds later{};  ///< of all parts after it
};

/// Returns the mean of the last steps of this part or, before the first one, of the part before it; 0 if unknown.
double secondsPerStep(const RunProgress& progress);

/// Divides the planned seconds among the parts: those of denoising by the number of steps, the others equally. Measured
/// steps take precedence over the plan. Returns nullopt if neither is known.
std::optional<ExpectedSeconds> expectedSeconds(const std::optional<PhaseSeconds>& planned, const RunProgress& progress);

/// Returns the remaining seconds of the current phase in this part, or nullopt if they are unknown.
std::optional<double> phaseSecondsLeft(const std::optional<PhaseSeconds>& planned, const RunProgress& progress);

/// Returns the remaining seconds of the run, or nullopt if they are unknown.
std::optional<double> secondsLeft(const std::optional<PhaseSeconds>& planned, const RunProgress& progress);

}  // namespace kinescope::ui
