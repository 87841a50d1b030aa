#pragma once

#include "ui/bridge/run_mailbox.h"

namespace kinescope::ui {

/// Returns true for the last event of a run.
bool endsRun(const WindowEvent& event);

/// Selects the job whose events the window shows: the running job or, if none is running, the one that ran last.
/// Depends only on the events that it has seen.
class ActiveJobFilter {
public:
    JobId job() const { return job_; }
    bool isRunning() const { return is_running_; }
    /// Selects a job that was submitted to an idle queue, before its first event arrives.
    void expect(JobId job);
    /// Returns true if the window shows this event. Log lines (job 0) are always shown. The end of a job that never
    /// became active is not shown, because the queue shows it.
    bool admits(JobId job, const WindowEvent& event);

private:
    JobId job_ = 0;
    bool is_running_ = false;
};

}  // namespace kinescope::ui
