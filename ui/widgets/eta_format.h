#pragma once

#include <QString>

namespace kinescope::ui {

/// Formats a duration: "0.4 s", "52 s", "5:02", "1 h 12 min". Tenths only below one second. Negative or non-finite
/// values give an empty string.
QString formatDuration(double seconds);

/// Formats a clip length with tenths of a second below one minute: "6.1 s", "2.0 s", "1:05".
QString formatClipLength(double seconds);

}  // namespace kinescope::ui
