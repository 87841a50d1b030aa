#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace kinescope::testing {

/// Returns the contents of a file, or nothing if it cannot be read.
inline QByteArray bytes_of(const QString& file) {
    QFile stream(file);
    return stream.open(QIODevice::ReadOnly) ? stream.readAll() : QByteArray();
}

}  // namespace kinescope::testing
