#pragma once

#include <QDateTime>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// Returns the folder of the runs' numeric logs, "logs" in the data folder.
QString logFolder();

/// Returns the numeric log of a video: in logFolder(), or next to the video, as written by earlier versions. Returns an
/// empty path if there is none.
QString logOf(const QString& video);

/// Returns true for a log in logFolder(). Kinescope deletes no others.
bool isInLogFolder(const QString& log);

/// Limits for the age and the total size of numeric logs. 0 means that there is no limit.
struct LogLimits {
    int days = 0;
    qint64 bytes = 0;
};

struct LogFile {
    QString path;
    QDateTime written;
    qint64 bytes = 0;
};

/// Returns the logs that exceed the limits, oldest first. Omits the newest log and those in `inUse`.
QStringList logsToDelete(QList<LogFile> logs, const LogLimits& limits, const QDateTime& now,
                         const QSet<QString>& inUse);

/// Deletes the logs in logFolder() that exceed the limits, on a worker thread.
void deleteOldLogs(const LogLimits& limits, const QSet<QString>& inUse);

}  // namespace kinescope::ui
