#pragma once

#include <QImage>
#include <QString>

namespace kinescope::ui {

/// Returns the folder of painted masks, "masks" in the data folder.
QString maskFolder();

/// Returns the folder of images that were taken from videos or pasted, "frames" in the data folder.
QString framesFolder();

struct SavedPicture {
    QString file;
    QString fault;  ///< message of the system; empty: the file exists
};

/// Saves a picture as <stem>-<digits>.png. The digits depend on the content: an equal picture has the same file, and no
/// other file is replaced, because waiting jobs read it. The file appears complete or not at all.
SavedPicture savePicture(const QImage& picture, const QString& folder, const QString& stem);

/// Returns the picture of a mask file, or a null image for a video and for a file that can't be read.
QImage readMask(const QString& file);

}  // namespace kinescope::ui
