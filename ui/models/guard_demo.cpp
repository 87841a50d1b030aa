#include "ui/models/guard_demo.h"

#include <algorithm>

namespace kinescope::ui {

GuardDemo::GuardDemo(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
    connect(&bridge_, &EngineBridge::jobsChanged, this, [this] {
        if (state_ == State::waiting) proceed();
    });
}

void GuardDemo::start() {
    if (state_ == State::waiting || state_ == State::running) return;
    finished_ = 0;
    error_.reset();
    proceed();
}

void GuardDemo::proceed() {
    state_ = isBusy() ? State::waiting : State::running;
    if (state_ == State::running) askNext();
    Q_EMIT changed();
}

bool GuardDemo::isBusy() const {
    return std::ranges::any_of(bridge_.jobs(), [](const Job& job) { return job.state == JobState::running; });
}

void GuardDemo::askNext() {
    bridge_.request(
        Lane::slow, this,
        [run = kRuns[finished_], id = bridge_.newDiagnosticId()](Engine& engine) {
            return engine.diagnostics().guard_demo(run, id);
        },
        [this](const GuardDemoResult& result) { keep(result); }, [this](const Error& error) { fail(error); });
}

void GuardDemo::keep(const GuardDemoResult& result) {
    results_[finished_++] = result;
    if (finished_ < kRuns.size()) return proceed();
    state_ = State::done;
    Q_EMIT changed();
}

/// Reports a failed run of the demonstration. If the cause is a job that has started in the meantime, waits for that
/// job.
void GuardDemo::fail(const Error& error) {
    if (isBusy()) return proceed();
    state_ = State::failed;
    error_ = error;
    Q_EMIT changed();
}

const GuardDemoResult* GuardDemo::result(GuardDemoRun run) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(kRuns, run) - kRuns.begin());
    return at < finished_ ? &results_[at] : nullptr;
}

bool GuardDemo::isCurrent(GuardDemoRun run) const {
    return state_ == State::running && finished_ < kRuns.size() && kRuns[finished_] == run;
}

}  // namespace kinescope::ui
