#include "ui/models/history_item.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>

#include "ui/models/json_object.h"
#include "ui/models/log_folder.h"
#include "ui/models/media_files.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(History)
};

constexpr qint64 kSummaryBytes = 16 << 10;  ///< upper bound for the length of the last record

/// Returns the last record of a numeric log, or an empty object if there is none.
QJsonObject summaryOf(const QString& log) {
    QFile file(log);
    if (!QFileInfo(log).isFile() || !file.open(QIODevice::ReadOnly)) return {};
    file.seek(std::max<qint64>(0, file.size() - kSummaryBytes));
    const QByteArray end = file.readAll().trimmed();
    const QByteArray last = end.mid(end.lastIndexOf('\n') + 1);
    return readJsonObject(last);
}

void takeSummary(const QJsonObject& summary, HistoryItem& item) {
    item.status = run_status_from(summary.value(QLatin1String("status")).toString().toStdString());
    const QJsonArray warnings = summary.value(QLatin1String("warnings")).toArray();
    for (const auto warning : warnings) item.warnings << warning.toString();
}

HistoryItem itemOf(const QString& file, const QDateTime& made, qint64 bytes) {
    HistoryItem item;
    item.file = file;
    item.made = made;
    item.bytes = bytes;
    const QString log = logOf(file);
    item.hasLog = isInLogFolder(log);
    takeSummary(summaryOf(log), item);
    return item;
}

/// The time of a folder changes with every file that is added, so that of its first frame is the time of the video.
QString firstFrameOf(const QString& folder) {
    return QDir(folder).filePath(QStringLiteral("00000.png"));
}

qint64 bytesOfFrames(const QString& folder) {
    qint64 bytes = 0;
    for (const QFileInfo& frame : QDir(folder).entryInfoList({"*.png"}, QDir::Files)) bytes += frame.size();
    return bytes;
}

QString haystackOf(const HistoryItem& item) {
    QStringList words{QFileInfo(item.file).fileName(), item.made.date().toString(Qt::ISODate)};
    if (item.status) words << QString::fromStdString(to_string(*item.status));
    if (badgeOf(item) == HistoryBadge::warned) words << QStringLiteral("warned");
    words << item.warnings;
    if (item.request) {
        words << QString::fromStdString(item.request->prompt) << QString::fromStdString(item.request->model);
        if (item.request->seed) words << QString::number(*item.request->seed);
    }
    return words.join(QLatin1Char(' '));
}

bool isOfKind(const HistoryItem& item, const HistoryFilter& filter) {
    switch (filter.kind) {
        case HistoryFilter::Kind::all:
            return true;
        case HistoryFilter::Kind::favorites:
            return item.favorite;
        case HistoryFilter::Kind::healed:
            return item.status == RunStatus::healed;
        case HistoryFilter::Kind::stoppedEarly:
            return item.status == RunStatus::cancelled || item.status == RunStatus::stopped;
        case HistoryFilter::Kind::thisModel:
            return item.request && item.request->model == filter.model;
    }
    return true;
}

}  // namespace

bool isShown(const HistoryItem& item, const HistoryFilter& filter) {
    if (!isOfKind(item, filter)) return false;
    if (filter.text.trimmed().isEmpty()) return true;
    const QString haystack = haystackOf(item);
    const QStringList words = filter.text.simplified().split(QLatin1Char(' '));
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return haystack.contains(word, Qt::CaseInsensitive); });
}

HistoryBadge badgeOf(const HistoryItem& item) {
    if (!item.status) return HistoryBadge::none;
    switch (*item.status) {
        case RunStatus::completed:
            return item.warnings.isEmpty() ? HistoryBadge::completed : HistoryBadge::warned;
        case RunStatus::healed:
            return item.warnings.isEmpty() ? HistoryBadge::healed : HistoryBadge::warned;
        case RunStatus::stopped:
            return HistoryBadge::stopped;
        case RunStatus::cancelled:
            return HistoryBadge::cancelled;
        case RunStatus::failed:
            return HistoryBadge::failed;
    }
    return HistoryBadge::none;
}

QString dayText(const QDate& day, const QDate& today) {
    if (day == today) return Tr::tr("Today");
    if (day == today.addDays(-1)) return Tr::tr("Yesterday");
    return QLocale().toString(day, QLocale::LongFormat);
}

QString titleOf(const HistoryItem& item) {
    const QString prompt = item.request ? QString::fromStdString(item.request->prompt).simplified() : QString();
    return prompt.isEmpty() ? QFileInfo(item.file).completeBaseName() : prompt;
}

std::optional<double> clipSeconds(const HistoryItem& item) {
    if (!item.request || !item.request->num_frames || item.request->fps.value_or(0) <= 0) return item.seconds;
    if (item.request->continue_video || num_parts(*item.request) > 1) return item.seconds;  // num_frames is of one part
    return static_cast<double>(*item.request->num_frames) / *item.request->fps;
}

std::vector<HistoryItem> scanVideos(const QString& folder) {
    std::vector<HistoryItem> items;
    for (const QFileInfo& file : QDir(folder).entryInfoList(videoPatterns(), QDir::Files))
        items.push_back(itemOf(file.absoluteFilePath(), file.lastModified(), file.size()));
    for (const QFileInfo& below : QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QString frames = below.absoluteFilePath();
        if (isFrameFolder(frames))
            items.push_back(itemOf(frames, QFileInfo(firstFrameOf(frames)).lastModified(), bytesOfFrames(frames)));
    }
    std::stable_sort(items.begin(), items.end(),
                     [](const HistoryItem& a, const HistoryItem& b) { return a.made > b.made; });
    return items;
}

bool isFrameFolder(const QString& folder) {
    return QFileInfo(firstFrameOf(folder)).isFile();
}

}  // namespace kinescope::ui
