#pragma once

#include <QString>

namespace kinescope::ui {

/// Returns `chosen` with the extension of the actual content: "a.webm" of an MP4 becomes "a.mp4". A changed name gets a
/// number if the file exists, because the user only confirmed overwriting the original name. `ending` has no dot;
/// empty: a folder, and the name stays.
QString exportName(const QString& chosen, const QString& ending);

/// Returns `name` without its extension if that is the extension of a known media file: "take 1.5" stays.
QString withoutMediaEnding(const QString& name);

}  // namespace kinescope::ui
