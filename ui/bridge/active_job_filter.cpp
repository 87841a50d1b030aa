#include "ui/bridge/active_job_filter.h"

#include "core/api/job_end.h"

namespace kinescope::ui {

bool endsRun(const WindowEvent& event) {
    return ends_run(event);
}

void ActiveJobFilter::expect(JobId job) {
    if (!is_running_) job_ = job;
}

bool ActiveJobFilter::admits(JobId job, const WindowEvent& event) {
    if (job == 0) return true;
    const bool starts = std::holds_alternative<RunStarted>(event);
    if (job != job_ && !starts) {
        const bool ends_unseen =
            std::holds_alternative<RunCancelled>(event) || std::holds_alternative<RunPaused>(event);
        if (is_running_ || ends_unseen) return false;
    }
    job_ = job;
    if (starts) is_running_ = true;
    if (endsRun(event)) is_running_ = false;
    return true;
}

}  // namespace kinescope::ui
