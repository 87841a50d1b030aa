#pragma once

#include <QElapsedTimer>

namespace kinescope::ui {

/// The smoothed speed of a download.
class TransferRate {
public:
    /// Resets the speed before another download.
    void reset();
    /// Excludes the time until the next measurement, because the download is paused.
    void interrupt() { clock_.invalidate(); }
    /// Updates the speed. `bytes` is the number of bytes received so far.
    void measure(qint64 bytes);
    double bytesPerSecond() const { return rate_; }  ///< 0: unknown

private:
    QElapsedTimer clock_;
    qint64 measured_ = 0;
    double rate_ = 0;
};

}  // namespace kinescope::ui
