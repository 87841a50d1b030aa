#pragma once

#include <QString>

namespace kinescope::ui {

/// Formats a duration: "0.4 s", "52 s", "5:02", "1 h 12 min". Shows tenths only below one second. Returns an empty
/// string for negative or non-finite values.
QString formatDuration(double seconds);

/// Formats a clip length with tenths of a second below one minute: "6.1 s", "2.0 s", "1:05".
QString formatClipLength(double seconds);

}  // namespace kinescope::ui
