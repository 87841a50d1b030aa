#pragma once

#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// Returns the patterns of the video files that the engine reads, for searches of folders: "*.mp4", "*.m4v" ...
QStringList videoPatterns();

// Return the patterns separated by spaces, as file dialogs need them: "*.mp4 *.m4v ...". A finished copy with sound can
// be written to the files of soundVideoFilter().
QString videoFilter();
QString soundVideoFilter();
QString pictureFilter();

/// Returns true if the extension of a file is that of a video, or of a picture, that the engine reads.
bool isVideoFile(const QString& file);
bool isPictureFile(const QString& file);

}  // namespace kinescope::ui
