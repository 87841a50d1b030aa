#pragma once

#include <QString>

namespace kinescope::ui {

/// Returns `chosen` with the extension of the actual content: "a.webm" of an MP4 becomes "a.mp4". A changed name gets a
/// number if the file exists, because the user only confirmed overwriting the original name. `ending` has no dot;
/// empty: a folder, and the name stays.
QString exportName(const QString& chosen, const QString& ending);

}  // namespace kinescope::ui
