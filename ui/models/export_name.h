#pragma once

#include <QString>

namespace kinescope::ui {

/// `chosen` with the ending that the file's content has: "a.webm" for an MP4 becomes "a.mp4", "frame" for a picture
/// "frame.png". A name that was changed is one that nobody has, as nobody was asked whether it may be overwritten.
/// `ending` without a dot; empty: a folder, any name fits.
QString exportName(const QString& chosen, const QString& ending);

}  // namespace kinescope::ui
