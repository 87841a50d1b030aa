#pragma once

#include <QElapsedTimer>

namespace kinescope::ui {

/// The smoothed speed of a download.
class TransferRate {
public:
    /// Forgets everything, for another download.
    void reset();
    /// Keeps the speed, but does not count the time until the next measurement.
    void interrupt() { clock_.invalidate(); }
    /// `bytes`: received so far.
    void measure(qint64 bytes);
    double bytesPerSecond() const { return rate_; }  ///< 0: unknown

private:
    QElapsedTimer clock_;
    qint64 measured_ = 0;
    double rate_ = 0;
};

}  // namespace kinescope::ui
