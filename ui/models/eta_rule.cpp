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

/// Returns the time of the phase that counts as used. While denoising, that is the time of the steps alone: the phase
/// may have begun before its first event arrived, and repeated steps and previews say nothing about the steps ahead.
double secondsUsed(const RunProgress& progress) {
    if (progress.phase != Phase::denoise) return progress.secondsInPhase;
    return std::accumulate(progress.stepSeconds.begin(), progress.stepSeconds.end(), progress.secondsSinceStep);
}

}  // namespace

std::optional<PhaseSeconds> plannedSeconds(const Plan& plan) {
    if (plan.seconds <= 0) return std::nullopt;
    PhaseSeconds seconds{};
    for (const PhasePlan& phase : plan.phases) seconds[at(phase.phase)] = phase.seconds;
    seconds[at(Phase::load)] += std::max(0.0, plan.seconds - std::accumulate(seconds.begin(), seconds.end(), 0.0));
    for (double& value : seconds) value /= num_parts(plan.request);
    return seconds;
}

std::optional<PhaseSeconds> adjusted(std::optional<PhaseSeconds> expected, const RunProgress& progress) {
    if (progress.phase != Phase::denoise || progress.numSteps <= 0) return expected;
    const int done = static_cast<int>(progress.stepSeconds.size());
    const bool is_early = done < kEtaStepsNeeded;
    if (done == 0 || (is_early && !expected)) return expected;
    if (!expected) expected = PhaseSeconds{};
    const double spent = std::accumulate(progress.stepSeconds.begin(), progress.stepSeconds.end(), 0.0);
    const double measured = spent + meanOfLast(progress.stepSeconds, kEtaSteps) *
                                        (progress.numSteps - progress.stepsOfLaterParts - progress.stepsBefore - done);
    double& denoise = (*expected)[at(Phase::denoise)];
    // The first step is often slower, but it gives a lower bound.
    denoise = is_early ? std::max(denoise, measured) : measured;
    return expected;
}

std::optional<double> phaseSecondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress) {
    const int made = progress.done - progress.doneBefore;
    const bool hasRate = progress.phase == Phase::decode || progress.phase == Phase::save;
    if (hasRate && progress.total > 0 && made > 0)
        return progress.secondsInPhase / made * (progress.total - progress.done);
    const auto seconds = adjusted(expected, progress);
    if (!seconds) return std::nullopt;
    return std::max(0.0, (*seconds)[at(progress.phase)] - secondsUsed(progress));
}

std::optional<double> secondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress) {
    const auto now = phaseSecondsLeft(expected, progress);
    if (!now) return std::nullopt;
    const int partsAhead = progress.numParts - progress.part - 1;
    const auto seconds = adjusted(expected, progress);
    if (!seconds) return partsAhead == 0 ? now : std::nullopt;
    const double ofPart =
        std::accumulate(seconds->begin() + static_cast<std::ptrdiff_t>(at(progress.phase)) + 1, seconds->end(), *now);
    return ofPart + partsAhead * std::accumulate(seconds->begin(), seconds->end(), 0.0);
}

}  // namespace kinescope::ui
