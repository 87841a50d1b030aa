#include "ui/models/run_tracker.h"

#include <algorithm>

#include "core/api/resolved_request.h"
#include "core/api/video_parts.h"
#include "ui/models/overloaded.h"

namespace kinescope::ui {
namespace {

/// More steps than any run has.
constexpr int kMostSteps = 1'000'000;

double secondsOf(const QElapsedTimer& clock) {
    return clock.isValid() ? static_cast<double>(clock.elapsed()) / 1000.0 : 0.0;
}

}  // namespace

void RunTracker::expect(const VideoRequest& request) {
    request_ = request;
    beginPart(0);
}

void RunTracker::apply(const WindowEvent& event) {
    std::visit(overloaded{[this](const RunStarted& started) { begin(started); },
                          [this](const PhaseStarted& phase) { beginPhase(phase); },
                          [this](const PhaseProgress& made) { advance(made); },
                          [this](const FinishProgress& made) { advance(made); },
                          [this](const StepCompleted& step) { advance(step); }, [](const auto&) {}},
               event);
}

RunProgress RunTracker::progress() const {
    RunProgress progress = progress_;
    progress.secondsInPhase = secondsReported_ + secondsOf(reportClock_);
    progress.secondsSinceStep = secondsOf(stepClock_);
    return progress;
}

void RunTracker::begin(const RunStarted& started) {
    request_ = started.request;
    secondsReported_ = 0;
    reportClock_.invalidate();
    stepClock_.invalidate();
    beginPart(started.part);
}

/// The phases of a long video begin again with each part.
void RunTracker::beginPart(int part) {
    progress_.part = part;
    progress_.numParts = num_parts(request_);
    progress_.stepsOfAllParts = steps_to_run(request_);
    progress_.stepsOfEarlierParts = steps_before(request_, part);
    progress_.stepsOfLaterParts = progress_.stepsOfAllParts - steps_before(request_, part + 1);
    if (part == 0) return;
    const int made = static_cast<int>(progress_.stepSeconds.size());
    progress_.earlierSecondsPerStep = secondsPerStep(progress_);
    progress_.stepsBefore += made;
    progress_.stepsOfPartsHere += made;
    progress_.stepSeconds.clear();
    finish_.reset();
}

void RunTracker::beginPhase(const PhaseStarted& phase) {
    if (begins_next_part(request_, progress_.part, progress_.phase, phase.phase)) beginPart(progress_.part + 1);
    progress_.phase = phase.phase;
    progress_.done = 0;
    progress_.total = phase.total;
    progress_.doneBefore = 0;
    if (phase.phase == Phase::denoise) progress_.numSteps = phase.total;
    if (phase.phase == Phase::decode) finish_.reset();
    if (phase.phase == Phase::save && finish_) {
        progress_.doneBefore = finish_->done;
        countFinishedFrames();
    }
    secondsReported_ = 0;
    reportClock_.restart();
    stepClock_.restart();
}

void RunTracker::advance(const PhaseProgress& made) {
    if (made.phase != progress_.phase) return;
    progress_.done = made.done;
    progress_.total = made.total;
    secondsReported_ = made.seconds;
    reportClock_.restart();
}

/// These events have no times. The frames before the first one, which events that were lost would have counted, do not
/// count for the rate.
void RunTracker::advance(const FinishProgress& made) {
    const bool isFirst = !finish_;
    finish_ = made;
    if (progress_.phase != Phase::save) return;
    if (isFirst) {
        progress_.doneBefore = made.done;
        reportClock_.restart();
    }
    countFinishedFrames();
}

void RunTracker::advance(const StepCompleted& step) {
    if (step.step < 0 || step.step >= std::min(step.num_steps, kMostSteps)) return;  // from another computer
    startAt(step);
    progress_.numSteps = step.num_steps;
    progress_.stepSeconds.push_back(step.seconds);
    progress_.previewSeconds += step.preview_seconds;
    if (step.prediction == PredictionSource::reused) ++progress_.stepsReused;
    progress_.done = step.step + 1;
    progress_.total = step.num_steps;
    stepClock_.restart();
}

/// Prepares the progress for the end of a step. A restarted run repeats the steps after its last checkpoint. Steps
/// whose events were lost with a connection count as if each had taken as long as this one.
void RunTracker::startAt(const StepCompleted& step) {
    if (progress_.stepSeconds.empty()) progress_.stepsBefore = step.step;
    const auto before = static_cast<std::size_t>(std::max(0, step.step - progress_.stepsBefore));
    progress_.stepSeconds.resize(before, step.seconds);
    progress_.stepsBefore = std::min(progress_.stepsBefore, step.step);
}

/// Counts the frames that the finishing steps still make while the run saves.
void RunTracker::countFinishedFrames() {
    progress_.done = finish_->done;
    progress_.total = finish_->total;
}

}  // namespace kinescope::ui
