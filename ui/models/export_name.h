#pragma once

#include <QString>

namespace kinescope::ui {

/// Returns `chosen` with the extension of the actual content: "a.webm" becomes "a.mp4" for an MP4 file. A changed name
/// gets a number if that file exists, because the user only agreed to replace the original name. `ending` has no dot.
/// An empty `ending` means a folder, whose name does not change.
QString exportName(const QString& chosen, const QString& ending);

/// Returns `name` without its extension if that belongs to a media format. "take 1.5" does not change.
QString withoutMediaEnding(const QString& name);

}  // namespace kinescope::ui
