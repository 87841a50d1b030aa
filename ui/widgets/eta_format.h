#pragma once

#include <QString>

class QDateTime;

namespace kinescope::ui {

/// Formats a duration: "0.4 s", "52 s", "5:02", "1 h 12 min". Shows tenths only below one second. Returns an empty
/// string for negative or non-finite values.
QString formatDuration(double seconds);

/// Returns the time of day when a run that takes `seconds` from `now` on ends, with its weekday or date if that is
/// another day: "14:24", "Tue 04:10".
QString formatReadyTime(double seconds, const QDateTime& now);

/// Formats a clip length with tenths of a second below one minute: "6.1 s", "2.0 s", "1:05".
QString formatClipLength(double seconds);

}  // namespace kinescope::ui
