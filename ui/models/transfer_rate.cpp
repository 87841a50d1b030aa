#include "ui/models/transfer_rate.h"

namespace kinescope::ui {
namespace {

constexpr qint64 kMeasureMs = 500;
constexpr double kSmoothing = 0.3;  ///< weight of the newest measurement

}  // namespace

void TransferRate::reset() {
    clock_.invalidate();
    rate_ = 0;
}

void TransferRate::measure(qint64 bytes) {
    if (!clock_.isValid() || bytes < measured_) {
        clock_.start();
        measured_ = bytes;
    }
    if (clock_.elapsed() < kMeasureMs) return;
    const double newest = 1000.0 * static_cast<double>(bytes - measured_) / static_cast<double>(clock_.restart());
    rate_ = rate_ > 0 ? rate_ + kSmoothing * (newest - rate_) : newest;
    measured_ = bytes;
}

}  // namespace kinescope::ui
