#include "ui/models/download_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <array>

#include "ui/models/words.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(DownloadWords)
};

}  // namespace

double secondsLeft(const DownloadRow& row) {
    if (row.state != DownloadState::receiving || row.bytesPerSecond < 1) return 0;
    return static_cast<double>(row.offer.bytes() - row.received) / row.bytesPerSecond;
}

QString downloadText(const DownloadRow& row) {
    const QString all = bytesText(row.offer.bytes());
    const QString part = Words::tr("%1 of %2").arg(bytesText(row.received), all);
    switch (row.state) {
        case DownloadState::offered:
            return all;
        case DownloadState::waiting:
            return Words::tr("Waits for the download before it");
        case DownloadState::checking:
            return Words::tr("Checking what is there, %1").arg(part);
        case DownloadState::receiving:
            if (row.bytesPerSecond < 1) return part;
            return Words::tr("%1, %2/s").arg(part, bytesText(static_cast<std::int64_t>(row.bytesPerSecond)));
        case DownloadState::paused:
            return Words::tr("Paused at %1").arg(part);
        case DownloadState::done:
            return Words::tr("%1, complete and checked").arg(all);
        case DownloadState::failed:
            return Words::tr("Stopped at %1").arg(part);
    }
    return {};
}

QString downloadFaultText(const DownloadRow& row) {
    switch (row.fault) {
        case DownloadFault::none:
            return {};
        case DownloadFault::diskFull:
            return Words::tr("Not enough disk space: %1 more are needed.")
                .arg(bytesText(row.detail.toLongLong() > 0 ? row.detail.toLongLong()
                                                           : row.offer.bytes() - row.received));
        case DownloadFault::notWritable:
            return Words::tr("%1 cannot be written: another file has that name, or the folder is read-only.")
                .arg(row.file);
        case DownloadFault::unreachable:
            return Words::tr("The connection broke. What has arrived is kept. %1").arg(row.detail);
        case DownloadFault::stalled:
            return Words::tr("The server went silent. What has arrived is kept.");
        case DownloadFault::refused:
            return Words::tr("The server does not give the file. %1").arg(row.detail);
        case DownloadFault::wrongLength:
            return Words::tr("The server offers another file: %1 has another length.").arg(row.file);
        case DownloadFault::wrongHash:
            return Words::tr("%1 arrived with wrong content (SHA-256) and was thrown away.").arg(row.file);
    }
    return {};
}

namespace {

/// What resources/downloads.json says, for the translators.
[[maybe_unused]] constexpr std::array kNotes{
    QT_TRANSLATE_NOOP("DownloadNotes", "The smallest Wan: 480p, for 6 GB of graphics memory and more."),
    QT_TRANSLATE_NOOP("DownloadNotes", "720p at 24 frames a second, from words or from a picture."),
};

}  // namespace

QString downloadNote(const DownloadOffer& offer) {
    return QCoreApplication::translate("DownloadNotes", offer.note.toUtf8().constData());
}

}  // namespace kinescope::ui
