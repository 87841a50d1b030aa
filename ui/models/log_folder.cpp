#include "ui/models/log_folder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QThreadPool>
#include <algorithm>

#include "core/api/user_dirs.h"

namespace kinescope::ui {
namespace {

const QString kEnding = QStringLiteral(".jsonl");

QList<LogFile> logsIn(const QString& folder) {
    QList<LogFile> logs;
    const QFileInfoList files =
        QDir(folder).entryInfoList({QLatin1Char('*') + kEnding}, QDir::Files | QDir::NoSymLinks, QDir::Time);
    for (const QFileInfo& file : files) logs << LogFile{file.absoluteFilePath(), file.lastModified(), file.size()};
    return logs;
}

}  // namespace

QString logFolder() {
    return QString::fromStdU16String((user_dirs().data / "logs").u16string());
}

QString logOf(const QString& video) {
    const QFileInfo info(video);
    const QString name = info.completeBaseName() + kEnding;
    for (const QString& log : {info.dir().filePath(name), QDir(logFolder()).filePath(name)})
        if (QFileInfo::exists(log)) return log;
    return {};
}

bool isInLogFolder(const QString& log) {
    return !log.isEmpty() && QFileInfo(log).dir() == QDir(logFolder());
}

QStringList logsToDelete(QList<LogFile> logs, const LogLimits& limits, const QDateTime& now,
                         const QSet<QString>& inUse) {
    std::stable_sort(logs.begin(), logs.end(),
                     [](const LogFile& a, const LogFile& b) { return a.written > b.written; });
    QStringList deleted;
    qint64 kept = 0;
    for (qsizetype i = 0; i < logs.size(); ++i) {
        const LogFile& log = logs[i];
        const bool isOld = limits.days > 0 && log.written < now.addDays(-limits.days);
        const bool isTooMuch = limits.bytes > 0 && kept + log.bytes > limits.bytes;
        const bool isNeeded = i == 0 || inUse.contains(log.path);
        if ((isOld || isTooMuch) && !isNeeded) {
            deleted.prepend(log.path);
        } else {
            kept += log.bytes;
        }
    }
    return deleted;
}

void deleteOldLogs(const LogLimits& limits, const QSet<QString>& inUse) {
    QThreadPool::globalInstance()->start([limits, inUse, folder = logFolder()] {
        for (const QString& log : logsToDelete(logsIn(folder), limits, QDateTime::currentDateTime(), inUse))
            QFile::remove(log);
    });
}

}  // namespace kinescope::ui
