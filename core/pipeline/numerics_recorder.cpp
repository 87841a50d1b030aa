#include "core/pipeline/numerics_recorder.h"

#include "core/base/stopwatch.h"

namespace kinescope {

NumericsRecorder::NumericsRecorder(const VideoRequest& request, const EventSink& emit)
    : guard_(request.guard), emit_(emit), log_(request.output.numeric_log, request.output.numeric_csv) {}

void NumericsRecorder::observe(const Observation& seen) {
    monitor_.observe(seen);
}

Rung NumericsRecorder::rung(std::string_view component, std::string_view site) const {
    return overrides_.rung(component, site);
}

void NumericsRecorder::enter(MonitorScope scope) {
    scope.attempt = attempt_;
    monitor_.enter(std::move(scope));
}

void NumericsRecorder::transact(const std::function<void()>& work) {
    for (attempt_ = 0;; ++attempt_) {
        monitor_.enter_attempt(attempt_);
        const Stopwatch watch;
        work();
        const std::vector<NumericSample> samples = settle();
        if (guard_ == GuardMode::off) break;
        const GuardDecision decision = decide(samples, overrides_);
        if (decision.action == GuardDecision::Action::go_on) break;
        GuardActed record = guard_acted(decision);
        record.seconds = watch.seconds();
        if (guard_ == GuardMode::observe) record.action = "observe";
        write_down(std::move(record));
        if (guard_ == GuardMode::observe) break;
        if (decision.action == GuardDecision::Action::stop) throw not_finite_error(*decision.offender);
        overrides_.raise(*decision.raise);
        has_healed_ = true;
    }
    attempt_ = 0;
}

std::vector<NumericSample> NumericsRecorder::settle() {
    std::vector<NumericSample> samples = monitor_.collect();
    if (samples.empty()) return samples;
    log_.write(samples);
    emit_(NumericsReady{samples});
    return samples;
}

void NumericsRecorder::write_down(GuardActed record) {
    ++guard_actions_;
    log_.write(guard_record(record));
    emit_(record);
}

}  // namespace kinescope
