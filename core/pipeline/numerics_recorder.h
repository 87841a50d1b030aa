#pragma once

#include "core/numerics/numeric_log.h"
#include "core/numerics/numerics_monitor.h"
#include "core/pipeline/run_events.h"

namespace kinescope {

/// One run's numbers: the probe that modules report to, the log they end up in, and the verdict on them.
class NumericsRecorder {
public:
    NumericsRecorder(const VideoRequest& request, const EventSink& emit);

    NumericsMonitor& monitor() { return monitor_; }
    NumericLog& log() { return log_; }
    /// Names the component and, while denoising, the step and branch that come next.
    void enter(MonitorScope scope) { monitor_.enter(std::move(scope)); }
    /// Takes the samples since the last call to log and observer. The first site that is not finite is written down;
    /// unless the guard only observes, Error(not_finite) follows. With the guard off, nothing is judged here.
    void settle();
    int guard_actions() const { return guard_actions_; }

private:
    GuardMode guard_;
    const EventSink& emit_;
    NumericsMonitor monitor_;
    NumericLog log_;
    int guard_actions_ = 0;
};

}  // namespace kinescope
