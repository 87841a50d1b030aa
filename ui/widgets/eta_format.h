#pragma once

#include <QString>

namespace kinescope::ui {

/// A length of time as people say it: "52 s", "5:02", "1 h 12 min". Negative and not finite values give "".
QString formatDuration(double seconds);

/// The length of a clip: "6.1 s", "2.0 s", "1:05".
QString formatClipLength(double seconds);

}  // namespace kinescope::ui
