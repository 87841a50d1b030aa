#pragma once

#include <QImage>
#include <QString>

namespace kinescope::ui {

/// Returns the folder of painted masks, "masks" in the data folder.
QString maskFolder();

struct SavedMask {
    QString file;
    QString fault;  ///< message of the system; empty: the file exists
};

/// Saves a mask as a PNG file, whose name depends on the content: an equal mask has the same file, and no other file is
/// replaced. The file appears complete or not at all.
SavedMask saveMask(const QImage& mask, const QString& folder);

/// Returns the picture of a mask file, or a null image for a video and for a file that can't be read.
QImage readMask(const QString& file);

}  // namespace kinescope::ui
