#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/api/run_event.h"

namespace kinescope::ui {

/// A video in the history.
struct HistoryItem {
    QString file;  ///< or folder of PNG frames
    QDateTime made;
    qint64 bytes = 0;
    QStringList warnings;                 ///< from its numeric log, in English
    std::optional<RunStatus> status;      ///< in its numeric log; nullopt: no log, or a status that is unknown here
    std::optional<VideoRequest> request;  ///< the stored settings, once they are read
    std::optional<double> seconds = {};   ///< length of the file, read if the settings do not tell it
    bool asked = false;                   ///< reading the settings was attempted
    bool measured = false;                ///< reading the length of the file was attempted
    bool missing = false;                 ///< the file no longer exists
    bool favorite = false;
    bool hasLog = false;  ///< a numeric log in logFolder()
};

/// The mark of a video in the history: its status, or `warned` for a finished video with warnings. `none`: unknown.
enum class HistoryBadge { none, completed, healed, warned, stopped, cancelled, failed };

HistoryBadge badgeOf(const HistoryItem& item);

/// Selects the displayed videos.
struct HistoryFilter {
    enum class Kind { all, favorites, healed, stoppedEarly, thisModel };
    Kind kind = Kind::all;
    QString text;       ///< each word must occur in the prompt, model, seed, date or status
    std::string model;  ///< for Kind::thisModel
    bool operator==(const HistoryFilter&) const = default;
};

bool isShown(const HistoryItem& item, const HistoryFilter& filter);

/// Returns "Today", "Yesterday" or the date.
QString dayText(const QDate& day, const QDate& today);
/// Returns the first words of the prompt or, if there is none, the file name.
QString titleOf(const HistoryItem& item);
/// Returns the duration in seconds that follows from the settings, or else that of the file; nullopt if it is unknown.
std::optional<double> clipSeconds(const HistoryItem& item);

/// Returns the videos in a folder, newest first, with the status from their logs. A folder of PNG frames is a video,
/// too. Reads the disk.
std::vector<HistoryItem> scanVideos(const QString& folder);

/// Returns whether a folder contains a video as PNG frames. Reads the disk.
bool isFrameFolder(const QString& folder);

}  // namespace kinescope::ui
