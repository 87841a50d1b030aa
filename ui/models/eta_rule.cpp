#include "ui/models/eta_rule.h"

#include <algorithm>
#include <numeric>

namespace kinescope::ui {
namespace {

std::size_t at(Phase phase) {
    return static_cast<std::size_t>(phase);
}

double meanOfLast(const std::vector<double>& values, int count) {
    const auto used = std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(values.size()));
    return std::accumulate(values.end() - used, values.end(), 0.0) / static_cast<double>(used);
}

/// Returns the measured seconds of a step that the estimate uses; 0 while it relies on the plan.
double measuredPerStep(const RunProgress& progress) {
    const bool isEarly = static_cast<int>(progress.stepSeconds.size()) < kEtaStepsNeeded;
    return isEarly ? progress.earlierSecondsPerStep : secondsPerStep(progress);
}

/// Returns the time of the phase that counts as used. While denoising, that is the time of the steps alone: the phase
/// may have begun before its first event arrived, and repeated steps and previews say nothing about the steps ahead. A
/// step that takes longer than expected does not use up the time of those ahead.
double secondsUsed(const RunProgress& progress) {
    if (progress.phase != Phase::denoise) return progress.secondsInPhase;
    const double perStep = measuredPerStep(progress);
    const double ofThisStep = perStep > 0 ? std::min(progress.secondsSinceStep, perStep) : progress.secondsSinceStep;
    return std::accumulate(progress.stepSeconds.begin(), progress.stepSeconds.end(), ofThisStep);
}

double share(int count, int total) {
    return static_cast<double>(count) / std::max(1, total);
}

/// Divides the seconds of all parts between this part and those after it.
ExpectedSeconds divided(const PhaseSeconds& planned, const RunProgress& progress) {
    const int partsAhead = progress.numParts - progress.part - 1;
    ExpectedSeconds expected;
    for (std::size_t phase = 0; phase < planned.size(); ++phase) {
        expected.part[phase] = planned[phase] * share(1, progress.numParts);
        expected.later[phase] = planned[phase] * share(partsAhead, progress.numParts);
    }
    if (progress.stepsOfAllParts == 0) return expected;
    const int stepsOfPart = progress.stepsOfAllParts - progress.stepsOfEarlierParts - progress.stepsOfLaterParts;
    const double denoise = planned[at(Phase::denoise)];
    expected.part[at(Phase::denoise)] = denoise * share(stepsOfPart, progress.stepsOfAllParts);
    expected.later[at(Phase::denoise)] = denoise * share(progress.stepsOfLaterParts, progress.stepsOfAllParts);
    return expected;
}

/// Returns the seconds of the steps that this part has made and will make.
double denoiseSeconds(const RunProgress& progress, double perStep) {
    const double spent = std::accumulate(progress.stepSeconds.begin(), progress.stepSeconds.end(), 0.0);
    const int steps = std::max(progress.numSteps, progress.stepsOfAllParts) - progress.stepsOfLaterParts;
    const int done =
        std::max(progress.stepsBefore, progress.stepsOfEarlierParts) + static_cast<int>(progress.stepSeconds.size());
    return spent + perStep * (steps - done);
}

}  // namespace

std::optional<PhaseSeconds> plannedSeconds(const Plan& plan) {
    if (plan.seconds <= 0) return std::nullopt;
    PhaseSeconds seconds{};
    for (const PhasePlan& phase : plan.phases) seconds[at(phase.phase)] = phase.seconds;
    seconds[at(Phase::load)] += std::max(0.0, plan.seconds - std::accumulate(seconds.begin(), seconds.end(), 0.0));
    return seconds;
}

double secondsPerStep(const RunProgress& progress) {
    return progress.stepSeconds.empty() ? progress.earlierSecondsPerStep : meanOfLast(progress.stepSeconds, kEtaSteps);
}

std::optional<ExpectedSeconds> expectedSeconds(const std::optional<PhaseSeconds>& planned,
                                               const RunProgress& progress) {
    const bool denoises = progress.phase == Phase::denoise && progress.numSteps > 0;
    const double perStep = measuredPerStep(progress);
    if (!planned && (!denoises || perStep == 0)) return std::nullopt;
    ExpectedSeconds expected = planned ? divided(*planned, progress) : ExpectedSeconds{};
    double& ofPart = expected.part[at(Phase::denoise)];
    double& later = expected.later[at(Phase::denoise)];
    if (perStep > 0) {
        if (progress.phase <= Phase::denoise) ofPart = denoiseSeconds(progress, perStep);
        later = perStep * progress.stepsOfLaterParts;
    } else if (denoises && !progress.stepSeconds.empty()) {  // the first step is often slower: a lower bound
        ofPart = std::max(ofPart, denoiseSeconds(progress, secondsPerStep(progress)));
        later = std::max(later, secondsPerStep(progress) * progress.stepsOfLaterParts);
    }
    return expected;
}

std::optional<double> phaseSecondsLeft(const std::optional<PhaseSeconds>& planned, const RunProgress& progress) {
    const int made = progress.done - progress.doneBefore;
    const bool hasRate = progress.phase == Phase::decode || progress.phase == Phase::save;
    if (hasRate && progress.total > 0 && made > 0)
        return progress.secondsInPhase / made * (progress.total - progress.done);
    const auto expected = expectedSeconds(planned, progress);
    if (!expected) return std::nullopt;
    return std::max(0.0, expected->part[at(progress.phase)] - secondsUsed(progress));
}

std::optional<double> secondsLeft(const std::optional<PhaseSeconds>& planned, const RunProgress& progress) {
    const auto now = phaseSecondsLeft(planned, progress);
    if (!now) return std::nullopt;
    const auto expected = expectedSeconds(planned, progress);
    if (!expected) return progress.part + 1 == progress.numParts ? now : std::nullopt;
    const PhaseSeconds& part = expected->part;
    const double ofPart =
        std::accumulate(part.begin() + static_cast<std::ptrdiff_t>(at(progress.phase)) + 1, part.end(), *now);
    return std::accumulate(expected->later.begin(), expected->later.end(), ofPart);
}

}  // namespace kinescope::ui
