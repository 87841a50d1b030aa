#pragma once

#include <QByteArray>
#include <QString>

class QImage;
class QSaveFile;

namespace kinescope::ui {

/// Writes the last bytes of an open file and lets it appear. QSaveFile::commit() alone ignores that its buffer does not
/// fit on the disk, and replaces the file with a part of it.
bool writeAndCommit(QSaveFile& file, const QByteArray& bytes);

/// Writes a file, which appears complete or not at all. Returns the system's message, or an empty string on success.
QString saveFile(const QString& name, const QByteArray& bytes);

/// Encodes a picture as PNG and writes it. Returns a message, or an empty string on success.
QString savePng(const QString& name, const QImage& picture);

/// Copies a file, which may grow or shrink meanwhile, to a new file or over an existing one, which appears complete or
/// not at all. Returns the system's message, or an empty string on success.
QString copyFile(const QString& from, const QString& to);

}  // namespace kinescope::ui
