#pragma once

#include <QDateTime>
#include <QFileInfo>
#include <QHash>
#include <QString>

namespace kinescope::ui {

/// Returns when files were written. Leaves out files that do not exist.
template <class Files>
QHash<QString, QDateTime> writeTimes(const Files& files) {
    QHash<QString, QDateTime> times;
    for (const QString& file : files)
        if (const QFileInfo info(file); info.exists()) times[file] = info.lastModified();
    return times;
}

}  // namespace kinescope::ui
