#pragma once

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QNetworkAccessManager>
#include <QPointer>
#include <QTimer>
#include <functional>

#include "ui/models/download_manifest.h"

class QNetworkReply;

namespace kinescope::ui {

enum class DownloadFault {
    none,
    diskFull,     ///< checked before the first byte, and met while writing
    notWritable,  ///< the folder, or the name is taken by another file
    unreachable,  ///< no connection, or it broke more often than is worth trying
    stalled,
    refused,      ///< the server answers, but not with the file (404 ...)
    wrongLength,  ///< the server promises or sends another number of bytes than the manifest
    wrongHash,
};

struct DownloaderOptions {
    int stallMs = 30'000;  ///< without a byte
    int retryMs = 2'000;   ///< pause before the next try
    int maxTries = 6;      ///< that bring nothing new
    /// Bytes that may be written in a folder.
    std::function<qint64(const QString& folder)> freeBytes;
};

/// Fetches one file at a time into "<file>.part" and gives it its name only when length and SHA-256 are right. A part
/// that is there is hashed first and then continued, after a restart too. Lives on any thread with an event loop;
/// everything happens there, in slices, so that pause and cancel are heard at once.
class Downloader : public QObject {
    Q_OBJECT

public:
    explicit Downloader(DownloaderOptions options, QObject* parent = nullptr);
    ~Downloader() override;

    static QString partOf(const QString& file) { return file + QStringLiteral(".part"); }

    /// `file`: its final name. One file at a time.
    void start(const DownloadFile& what, const QString& file);
    /// Keeps the part.
    void pause();
    /// Removes the part.
    void cancel();

Q_SIGNALS:
    /// What lies on disk already is read once more.
    void checking(qint64 bytes);
    /// At most ten times a second, and at the end.
    void progressed(qint64 bytes);
    void finished();
    /// `detail`: what the system or the server said.
    void failed(kinescope::ui::DownloadFault fault, const QString& detail);

private:
    enum class Hashing { nothing, finished, part };

    bool makeRoom();
    void hash(Hashing what, const QString& file);
    void hashSlice();
    void hashed();
    void request();
    bool accept();
    bool acceptWhole();
    bool acceptRest();
    void take();
    void ended();
    void tryAgain(DownloadFault reason, const QString& detail);
    void beginAnew();
    void finish();
    void tell(qint64 bytes);
    void dropReply();
    void stop();
    void fail(DownloadFault fault, const QString& detail);

    DownloaderOptions options_;
    DownloadFile what_;
    QString name_;
    QFile file_;
    QCryptographicHash hash_{QCryptographicHash::Sha256};
    Hashing hashing_ = Hashing::nothing;
    QNetworkAccessManager* manager_ = nullptr;
    QPointer<QNetworkReply> reply_;
    bool accepted_ = false;  ///< the answer's head was read and fits
    qint64 received_ = 0;    ///< written and hashed
    qint64 farthest_ = 0;    ///< that any try has come
    int tries_ = 0;
    QTimer stall_;
    QTimer retry_;
    QTimer slice_;
    QElapsedTimer told_;
};

}  // namespace kinescope::ui
