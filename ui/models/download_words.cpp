#include "ui/models/download_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <array>

#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(DownloadWords)
};

}  // namespace

double secondsLeft(const DownloadRow& row) {
    if (row.state != DownloadState::receiving || row.bytesPerSecond < 1) return 0;
    return static_cast<double>(row.offer.bytes() - row.received) / row.bytesPerSecond;
}

QString downloadText(const DownloadRow& row) {
    const QString all = bytesText(row.offer.bytes());
    const QString part = Tr::tr("%1 of %2").arg(bytesText(row.received), all);
    switch (row.state) {
        case DownloadState::offered:
            return all;
        case DownloadState::waiting:
            return Tr::tr("Waiting for the previous download");
        case DownloadState::checking:
            return Tr::tr("Checking existing data, %1").arg(part);
        case DownloadState::receiving:
            if (row.bytesPerSecond < 1) return part;
            return Tr::tr("%1, %2/s").arg(part, bytesText(static_cast<std::int64_t>(row.bytesPerSecond)));
        case DownloadState::paused:
            return Tr::tr("Paused at %1").arg(part);
        case DownloadState::done:
            return row.verified ? Tr::tr("%1, complete and verified").arg(all) : Tr::tr("%1, complete").arg(all);
        case DownloadState::failed:
            return Tr::tr("Stopped at %1").arg(part);
    }
    return {};
}

QString downloadFaultText(const DownloadRow& row) {
    switch (row.fault) {
        case DownloadFault::none:
            return {};
        case DownloadFault::diskFull:
            return Tr::tr("Not enough disk space: %1 more needed.")
                .arg(bytesText(row.detail.toLongLong() > 0 ? row.detail.toLongLong()
                                                           : row.offer.bytes() - row.received));
        case DownloadFault::notWritable:
            return Tr::tr("%1 can't be written: another file has this name, or the folder is read-only.").arg(row.file);
        case DownloadFault::unreachable:
            return Tr::tr("The connection was lost. The download resumes where it stopped. %1").arg(row.detail);
        case DownloadFault::stalled:
            return Tr::tr("The download stalled. It resumes where it stopped.");
        case DownloadFault::refused:
            return Tr::tr("The server refused the download. %1").arg(row.detail);
        case DownloadFault::tokenNeeded:
            return Tr::
                tr("%1 requires an account: accept the license on the source page, then save an access token above.")
                    .arg(row.offer.name);
        case DownloadFault::tokenRefused:
            return Tr::tr("%1 does not accept the access token. Save a new one above.").arg(row.offer.source.host());
        case DownloadFault::noAccess:
            return Tr::tr("The account of the access token has no access to %1. Accept the license on the source page.")
                .arg(row.offer.name);
        case DownloadFault::wrongLength:
            return Tr::tr("The server has another version of %1: its size does not match.").arg(row.file);
        case DownloadFault::wrongHash:
            return Tr::tr("%1 was deleted because its SHA-256 does not match.").arg(row.file);
    }
    return {};
}

namespace {

/// Marks the notes in resources/downloads.json for translation.
[[maybe_unused]] constexpr std::array kNotes{
    QT_TRANSLATE_NOOP("DownloadNotes", "Smallest Wan model: 480p, requires at least 6 GB of graphics memory."),
    QT_TRANSLATE_NOOP("DownloadNotes", "480p and 720p, in float8."),
    QT_TRANSLATE_NOOP("DownloadNotes", "480p, in float8."),
    QT_TRANSLATE_NOOP("DownloadNotes", "720p, between two images, in float16."),
    QT_TRANSLATE_NOOP("DownloadNotes", "480p, controlled by videos, masks and reference pictures, in float16."),
    QT_TRANSLATE_NOOP("DownloadNotes",
                      "480p and 720p, controlled by videos, masks and reference pictures, in float16."),
    QT_TRANSLATE_NOOP("DownloadNotes", "720p at 24 fps, from text or an image."),
    QT_TRANSLATE_NOOP("DownloadNotes", "Two 14B experts in float8, and LoRAs for 4 steps."),
    QT_TRANSLATE_NOOP("DownloadNotes", "Fast: 8 steps without guidance, from text or images at any frame."),
    QT_TRANSLATE_NOOP("DownloadNotes", "Tiny decoders for real previews and drafts."),
    QT_TRANSLATE_NOOP("DownloadNotes", "Interpolator for finished videos: more frames per second."),
    QT_TRANSLATE_NOOP("DownloadNotes", "Upscalers for finished videos: x2, x4, and small fast ones."),
};

}  // namespace

QString downloadNote(const DownloadOffer& offer) {
    return QCoreApplication::translate("DownloadNotes", offer.note.toUtf8().constData());
}

}  // namespace kinescope::ui
