#pragma once

#include "ui/bridge/run_mailbox.h"

namespace kinescope::ui {

/// Selects the job whose events the window shows: the running one, otherwise the one that ran last. A pure rule over
/// the events.
class ActiveJobFilter {
public:
    JobId job() const { return job_; }
    /// Announces a job that was submitted to an idle queue.
    void expect(JobId job);
    /// True if the window shows this event. Log lines, which belong to no job (0), are always shown. The end of a job
    /// that never became active is not: the queue shows it.
    bool admits(JobId job, const WindowEvent& event);

private:
    JobId job_ = 0;
    bool is_running_ = false;
};

}  // namespace kinescope::ui
