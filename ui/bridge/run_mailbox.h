#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "core/api/run_event.h"
#include "ui/bridge/step_numbers.h"

namespace kinescope::ui {

/// A RunEvent as the window takes it: the samples of a step arrive digested.
using WindowEvent = std::variant<RunStarted, PhaseStarted, PhaseProgress, StepCompleted, PreviewReady, StepNumbers,
                                 GuardActed, LogLine, RunFinished, RunFailed, RunCancelled, RunPaused>;

struct JobEvent {
    JobId job = 0;
    WindowEvent event;
};

/// What came since the last time.
struct Mail {
    std::vector<JobEvent> events;                ///< oldest first
    std::optional<std::vector<JobRecord>> jobs;  ///< the newest queue; nothing: it is as it was
};

/// Carries events from the worker thread to the window. Events keep their order and none is lost, but of progress
/// within a phase, of latent previews and of the queue only the newest is kept, and the samples of a step are digested
/// on the worker thread.
class RunMailbox final : public RunObserver {
public:
    /// `wake` is called on the worker thread when the mailbox stops being empty; it must return at once.
    explicit RunMailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

    void on_event(JobId job, const RunEvent& event) override;

    /// Takes everything out.
    Mail drain();

private:
    void append(JobId job, const RunEvent& event);

    std::function<void()> wake_;
    std::mutex mutex_;
    Mail mail_;
};

}  // namespace kinescope::ui
