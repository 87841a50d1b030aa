#pragma once

#include <QDateTime>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// The folder of the runs' numeric logs, "logs" in the data folder.
QString logFolder();

/// The numeric log of a video: in logFolder(), or beside the video, where earlier versions wrote it. Empty: none.
QString logOf(const QString& video);

/// How long numeric logs are kept; 0: no limit.
struct LogLimits {
    int days = 0;
    qint64 bytes = 0;
};

struct LogFile {
    QString path;
    QDateTime written;
    qint64 bytes = 0;
};

/// The logs that exceed the limits, oldest first. The newest log and those in `inUse` are kept.
QStringList logsToDelete(QList<LogFile> logs, const LogLimits& limits, const QDateTime& now,
                         const QSet<QString>& inUse);

/// Deletes the logs in logFolder() that exceed the limits, on a worker thread.
void deleteOldLogs(const LogLimits& limits, const QSet<QString>& inUse);

}  // namespace kinescope::ui
