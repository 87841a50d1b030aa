#include "ui/models/run_model.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "core/api/fetched_job.h"
#include "ui/models/overloaded.h"
#include "ui/text/guard_words.h"

namespace kinescope::ui {
namespace {

constexpr std::chrono::milliseconds kRefresh{250};

std::size_t at(Phase phase) {
    return static_cast<std::size_t>(phase);
}

}  // namespace

RunModel::RunModel(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
    connect(&bridge_, &EngineBridge::eventsArrived, this, &RunModel::onEvents);
    connect(&bridge_, &EngineBridge::jobsChanged, this, &RunModel::leaveLostJob);
    clock_.setInterval(kRefresh);
    connect(&clock_, &QTimer::timeout, this, &RunModel::reportProgress);
    connect(&bridge_, &EngineBridge::engineFailed, this, [this](const Error& error) {
        if (running()) apply(RunFailed{error});
    });
}

void RunModel::expect(const VideoRequest& request, const Plan* plan) {
    if (running()) return;
    facts_ = {};
    tracker_ = {};
    facts_.request = request;
    planned_.reset();
    if (plan) {
        facts_.policy = plan->policy;
        planned_ = plannedSeconds(*plan);
    }
    tracker_.expect(request);
    facts_.progress = tracker_.progress();
    secondsBefore_ = 0;
    runClock_.start();
    changeState(RunState::planning);
}

void RunModel::setExpectedOutput(const OutputRequest& output) {
    if (facts_.state == RunState::planning && facts_.job == 0) facts_.request.output = output;
}

void RunModel::setPlanned(const PhaseSeconds& planned) {
    if (planned_) return;
    planned_ = planned;
    countTime();
}

void RunModel::countTime() {
    left_ = ui::secondsLeft(planned_, tracker_.progress());
}

void RunModel::reportProgress() {
    countTime();
    Q_EMIT progressed();
}

void RunModel::begin(const RunStarted& started) {
    const JobId job = bridge_.activeJob();
    const bool waited = facts_.state == RunState::paused || awaitsDecision();
    // A cluster restarts a lost task while the run counts as running, and a computer that was out of reach begins with
    // the start of its run.
    const bool resumed = facts_.job == job && (waited || running());
    if (!resumed && facts_.state != RunState::planning) {
        facts_ = {};
        tracker_ = {};
        planned_.reset();
    }
    facts_.resumed = resumed;
    facts_.keptSteps = 0;
    facts_.takesPrompt = started.card.takes_prompt;
    if (!resumed) secondsBefore_ = 0;
    if (resumed && running()) secondsBefore_ += static_cast<double>(runClock_.elapsed()) / 1000.0;
    fractionBefore_ = resumed ? std::max(fractionBefore_, fractionShown_) : 0;
    runClock_.start();
    facts_.job = job;
    facts_.request = started.request;
    facts_.policy = started.policy;
    facts_.error.reset();
    track(started);
    if (started.part > 0) facts_.phases = {};
}

void RunModel::track(const WindowEvent& event) {
    tracker_.apply(event);
    facts_.progress = tracker_.progress();
    facts_.finish = tracker_.finish();
}

void RunModel::stop() {
    const bool stoppable = running() || facts_.state == RunState::paused;
    if (!stoppable || facts_.stopping || isFetching()) return;
    facts_.stopping = true;
    reportProgress();
    if (facts_.job == 0) return bridge_.cancelShown();
    if (facts_.state == RunState::paused) return keepSteps(facts_.paused.step);
    holdQueue();
    bridge_.pause(facts_.job, PausePoint::at_once);
}

void RunModel::keepSteps(int steps) {
    facts_.keptSteps = steps;
    if (steps == 0) bridge_.cancel(facts_.job);
    changeState(RunState::stopped);
}

void RunModel::decodeNow() {
    if (!awaitsDecision()) return;
    bridge_.decodeNow(facts_.job);
    releaseQueue();
}

void RunModel::discard() {
    if (!awaitsDecision()) return;
    bridge_.cancel(facts_.job);
    loseSteps(facts_.keptSteps);
}

void RunModel::loseSteps(int steps) {
    facts_.cancelled = {.step = steps, .output = {}};
    facts_.keptSteps = 0;
    facts_.state = RunState::stopped;
    releaseQueue();
    Q_EMIT stateChanged(facts_.state);
}

/// Ends a run that waits for the user if its job is removed or cancelled in the queue, or by another program. A job
/// that does not run sends no event when it is removed.
void RunModel::leaveLostJob() {
    const bool isPaused = facts_.state == RunState::paused;
    if (facts_.job == 0 || (!isPaused && !awaitsDecision())) return;
    const auto& jobs = bridge_.jobs();
    const auto job = std::ranges::find(jobs, facts_.job, &Job::id);
    if (job != jobs.end() && job->state != JobState::cancelled) return;
    if (job == jobs.end()) facts_.job = 0;  // it can't start over
    loseSteps(isPaused ? facts_.paused.step : facts_.keptSteps);
}

void RunModel::decideLater() {
    if (awaitsDecision()) releaseQueue();
}

void RunModel::pause() {
    if (!running() || facts_.stopping || facts_.pausing || facts_.job == 0 || isFetching()) return;
    facts_.pausing = true;
    reportProgress();
    holdQueue();
    bridge_.pause(facts_.job, PausePoint::after_step);
}

void RunModel::proceed() {
    if (facts_.state != RunState::paused && !awaitsDecision()) return;
    bridge_.resume(facts_.job);
    releaseQueue();
}

/// Keeps the queue from starting the next job, because the user pauses to free the computer.
void RunModel::holdQueue() {
    const auto waits = [](const Job& job) { return job.state == JobState::waiting; };
    // Releasing the queue later would start sleeping jobs together with the others.
    const auto sleeps = [this](const Job& job) { return bridge_.sleeps(job); };
    const std::vector<Job>& jobs = bridge_.jobs();
    if (bridge_.isHeld() || std::ranges::none_of(jobs, waits) || std::ranges::any_of(jobs, sleeps)) return;
    holdsQueue_ = true;
    bridge_.holdQueue();
}

void RunModel::releaseQueue() {
    if (std::exchange(holdsQueue_, false)) bridge_.releaseQueue();
}

void RunModel::startOver() {
    if (facts_.state == RunState::stopped || facts_.state == RunState::failed) bridge_.retry(facts_.job);
}

void RunModel::onEvents(const std::vector<WindowEvent>& events) {
    for (const WindowEvent& event : events) apply(event);
    countTime();
    fractionShown_ = fractionDone().value_or(fractionShown_);
    Q_EMIT progressed();
}

void RunModel::apply(const WindowEvent& event) {
    if (const auto* line = std::get_if<LogLine>(&event)) Q_EMIT logged(*line);
    if (const auto* started = std::get_if<RunStarted>(&event)) begin(*started);
    const bool alive = running() || facts_.state == RunState::paused || std::holds_alternative<RunStarted>(event);
    if (!alive) return;
    std::visit(overloaded{[this](const PhaseStarted& phase) {
                              facts_.redoing.reset();
                              beginPhase(phase);
                          },
                          [this](const PhaseProgress& made) { track(made); },
                          [this](const FinishProgress& made) { track(made); },
                          [this](const StepCompleted& step) {
                              facts_.redoing.reset();
                              track(step);
                          },
                          [this](const GuardActed& action) {
                              if (is_repair(action.action)) facts_.repairs.push_back(action);
                              if (runsAgain(action.action)) {
                                  facts_.redoing = action;
                                  facts_.healingSeconds += action.seconds;
                              }
                              if (action.action == GuardAction::learned) facts_.knownOverrides.push_back(action);
                          },
                          [this](const PreviewReady& preview) { Q_EMIT previewArrived(preview); },
                          [this](const RunFinished& finished) {
                              facts_.result = finished.result;
                              facts_.phases = phases();
                              finishPhases();
                          },
                          [this](const RunFailed& failed) {
                              facts_.job = bridge_.activeJob();  // the job may have failed before it started
                              facts_.error = failed.error;
                          },
                          [this](const RunCancelled& cancelled) { facts_.cancelled = cancelled; },
                          [this](const RunPaused& paused) {
                              facts_.phases = phases();
                              facts_.paused = paused;
                              secondsBefore_ += static_cast<double>(runClock_.elapsed()) / 1000.0;
                          },
                          [](const auto&) {}},
               event);
    if (facts_.stopping && std::holds_alternative<RunPaused>(event)) return keepSteps(facts_.paused.step);
    changeState(nextState(facts_.state, event));
}

void RunModel::changeState(RunState state) {
    if (state == facts_.state) return;
    facts_.state = state;
    if (!running()) facts_.redoing.reset();
    if (!running()) facts_.stopping = facts_.pausing = false;
    if (!running() && state != RunState::paused && !awaitsDecision()) releaseQueue();  // the run is over
    countTime();
    running() ? clock_.start() : clock_.stop();
    Q_EMIT stateChanged(state);
}

void RunModel::beginPhase(const PhaseStarted& phase) {
    const auto before = phases();
    const int part = facts_.progress.part;
    track(phase);
    facts_.phases = {};
    if (facts_.progress.part == part) facts_.phases = before;
    for (std::size_t earlier = 0; earlier < at(phase.phase); ++earlier)
        facts_.phases[earlier].part = PhaseView::Part::done;
    facts_.phases[at(phase.phase)] = {PhaseView::Part::current, 0, 0, phase.total};
}

/// Replaces the times of the phases with those that the engine measured.
void RunModel::finishPhases() {
    for (std::size_t phase = 0; phase < facts_.phases.size(); ++phase) {
        facts_.phases[phase].part = PhaseView::Part::done;
        const auto measured = facts_.result.seconds_by_phase.find(to_string(static_cast<Phase>(phase)));
        if (measured != facts_.result.seconds_by_phase.end()) facts_.phases[phase].seconds = measured->second;
    }
}

std::array<PhaseView, kNumPhases> RunModel::phases() const {
    std::array<PhaseView, kNumPhases> views = facts_.phases;
    const auto expected = expectedSeconds(planned_, facts_.progress);
    for (std::size_t phase = 0; phase < views.size(); ++phase) {
        PhaseView& view = views[phase];
        if (view.part == PhaseView::Part::ahead) view.seconds = expected ? expected->part[phase] : 0;
        if (view.part == PhaseView::Part::current && running()) {
            view.seconds = tracker_.progress().secondsInPhase;
            view.doneUnits = facts_.progress.done;
            view.totalUnits = facts_.progress.total;
        }
    }
    return views;
}

void RunModel::setContact(Contact contact, const QString& computer) {
    contact_ = contact;
    lostComputer_ = computer;
    reportProgress();
}

bool RunModel::isFetching() const {
    const auto isFetched = [this](const Job& job) { return job.id == facts_.job && is_fetched(job); };
    return running() && std::ranges::any_of(bridge_.jobs(), isFetched);
}

std::optional<double> RunModel::secondsLeft() const {
    const bool isKnown = running() && contact_ == Contact::present && left_.value_or(0) > 0;
    return isKnown ? left_ : std::nullopt;
}

std::optional<double> RunModel::decodeSeconds() const {
    const auto expected = expectedSeconds(planned_, facts_.progress);
    return planned_ ? std::optional(expected->part[at(Phase::decode)]) : std::nullopt;
}

/// Returns the elapsed seconds of the run. Assumes the mean step time for steps of an earlier session.
double RunModel::secondsSpent() const {
    const RunProgress& progress = facts_.progress;
    const double here = secondsBefore_ + static_cast<double>(runClock_.elapsed()) / 1000.0;
    const int stepsBefore = std::max(0, progress.stepsBefore - progress.stepsOfPartsHere);
    if (stepsBefore == 0) return here;
    if (progress.stepSeconds.empty()) return here + stepsBefore * secondsPerStep(progress);
    const double steps = std::accumulate(progress.stepSeconds.begin(), progress.stepSeconds.end(), 0.0);
    return here + stepsBefore * steps / static_cast<double>(progress.stepSeconds.size());
}

std::optional<double> RunModel::fractionDone() const {
    if (!running() || contact_ != Contact::present) return std::nullopt;
    const double spent = left_ ? secondsSpent() : 0;
    const double share = left_ ? spent / std::max(spent + *left_, 1e-3) : 0;
    return left_ || fractionBefore_ > 0 ? std::optional(std::max(share, fractionBefore_)) : std::nullopt;
}

std::optional<double> RunModel::phaseSecondsLeft() const {
    return running() && contact_ == Contact::present ? ui::phaseSecondsLeft(planned_, tracker_.progress())
                                                     : std::nullopt;
}

}  // namespace kinescope::ui
