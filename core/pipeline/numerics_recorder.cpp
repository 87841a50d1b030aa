#include "core/pipeline/numerics_recorder.h"

#include "core/numerics/numerics_guard.h"

namespace kinescope {

NumericsRecorder::NumericsRecorder(const VideoRequest& request, const EventSink& emit)
    : guard_(request.guard), emit_(emit), log_(request.output.numeric_log, request.output.numeric_csv) {}

void NumericsRecorder::settle() {
    const std::vector<NumericSample> samples = monitor_.collect();
    if (samples.empty()) return;
    log_.write(samples);
    emit_(NumericsReady{samples});
    const NumericSample* broken = first_not_finite(samples);
    if (broken == nullptr || guard_ == GuardMode::off) return;
    GuardActed record = stop_record(*broken);
    if (guard_ == GuardMode::observe) record.action = "observe";
    ++guard_actions_;
    log_.write(guard_record(record));
    emit_(record);
    if (guard_ == GuardMode::heal) throw not_finite_error(*broken);
}

}  // namespace kinescope
