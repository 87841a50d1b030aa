#pragma once

#include "ui/bridge/run_mailbox.h"

namespace kinescope::ui {

/// Which job of many the window shows: the one that runs, else the one that ran last. A pure rule over the events.
class Stage {
public:
    JobId job() const { return job_; }
    /// The job that was just given to an idle queue.
    void expect(JobId job);
    /// Whether the window shall see an event of that job; what belongs to no job (0), a line of the log, always. What
    /// ends a job that never was on stage is not shown: the queue tells of it.
    bool admits(JobId job, const WindowEvent& event);

private:
    JobId job_ = 0;
    bool live_ = false;  ///< that job works
};

}  // namespace kinescope::ui
