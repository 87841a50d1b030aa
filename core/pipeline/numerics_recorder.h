#pragma once

#include "core/numerics/numeric_log.h"
#include "core/numerics/numerics_guard.h"
#include "core/numerics/numerics_monitor.h"
#include "core/numerics/probe.h"
#include "core/pipeline/run_events.h"

namespace kinescope {

/// One run's numbers: the probe that modules report to, the log they end up in, and the guard's deeds. An attempt whose
/// numbers are not finite is run again with the offender raised, and what was raised stays raised.
class NumericsRecorder final : public Probe {
public:
    NumericsRecorder(const VideoRequest& request, const EventSink& emit);

    void observe(const Observation& seen) override;
    Rung rung(std::string_view component, std::string_view site) const override;
    /// With the guard off nothing is judged; when it only observes, what it finds is written down and the run goes on.
    void transact(const std::function<void()>& work) override;

    NumericLog& log() { return log_; }
    /// Names the phase and, while denoising, the step and branch that come next.
    void enter(MonitorScope scope);
    int guard_actions() const { return guard_actions_; }
    bool has_healed() const { return has_healed_; }

private:
    /// Takes the samples since the last call to log and observer.
    std::vector<NumericSample> settle();
    void write_down(GuardActed record);

    GuardMode guard_;
    const EventSink& emit_;
    NumericsMonitor monitor_;
    PrecisionOverrides overrides_;
    NumericLog log_;
    int attempt_ = 0;
    int guard_actions_ = 0;
    bool has_healed_ = false;
};

}  // namespace kinescope
