#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// One video of the history.
struct HistoryItem {
    QString file;
    QDateTime made;
    qint64 bytes = 0;
    QStringList warnings;  ///< of its numeric log, in English
    /// Of its numeric log: "completed", "healed", "stopped", "cancelled", "failed"; empty: there is none.
    QString status;
    std::optional<VideoRequest> request;  ///< what it was made with, once that was read and if it is there
    bool asked = false;                   ///< its settings were read, or could not be
    bool missing = false;                 ///< it was here and is no more
    bool favourite = false;
};

/// The status, or "warned" for a finished video with warnings.
QString badgeOf(const HistoryItem& item);

/// Which videos are shown.
struct HistoryFilter {
    enum class Kind { all, favourites, healed, stoppedEarly, thisModel };
    Kind kind = Kind::all;
    QString words;      ///< every one of them is in the prompt, the model, the seed, the date or the status
    std::string model;  ///< of Kind::thisModel
    bool operator==(const HistoryFilter&) const = default;
};

bool isShown(const HistoryItem& item, const HistoryFilter& filter);

/// "Today", "Yesterday", or the date.
QString dayText(const QDate& day, const QDate& today);
/// The first words of its prompt, or the file's name.
QString titleOf(const HistoryItem& item);
/// "6.1 s"; empty: not known.
std::optional<double> clipSeconds(const HistoryItem& item);

/// The videos of a folder, the newest first, with the status of the log beside each. Reads the disk.
std::vector<HistoryItem> scanVideos(const QString& folder);

}  // namespace kinescope::ui
