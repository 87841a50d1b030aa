#pragma once

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QNetworkAccessManager>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <optional>

#include "ui/models/download_manifest.h"

class QNetworkReply;

namespace kinescope::ui {

enum class DownloadFault {
    none,
    diskFull,     ///< before the download, or while writing
    notWritable,  ///< the folder is read-only, or another file has this name
    unreachable,  ///< no connection, or too many lost connections
    stalled,
    refused,       ///< HTTP error, for example 404
    tokenNeeded,   ///< the model is gated, and no token was sent
    tokenRefused,  ///< the host does not accept the token
    noAccess,      ///< the token's account has no access to the model
    wrongLength,   ///< the size differs from the manifest
    wrongHash,
};

struct DownloaderOptions {
    int stallMs = 30'000;  ///< time without data before the download counts as stalled
    int retryMs = 2'000;   ///< delay before a retry
    int maxTries = 6;      ///< attempts without progress
    /// Returns the number of free bytes in a folder.
    std::function<qint64(const QString& folder)> freeBytes;
    /// Returns the access token for an address; empty: none is known; nullopt: the address must not receive one. Called
    /// on the thread of the download.
    std::function<std::optional<QByteArray>(const QUrl& url)> tokenFor;
};

/// Downloads one file at a time to "<file>.part" and renames it once its size and SHA-256 match. An existing partial
/// file, which may be from an earlier session, is hashed and continued. Works in small slices on the event loop of its
/// thread, so that pause() and cancel() take effect immediately. Follows redirects itself, so that a token goes only to
/// the host that it belongs to.
class Downloader : public QObject {
    Q_OBJECT

public:
    explicit Downloader(DownloaderOptions options, QObject* parent = nullptr);
    ~Downloader() override;

    static QString partOf(const QString& file) { return file + QStringLiteral(".part"); }

    /// Downloads `what` to the path `file`. Must not be called while a download is active.
    void start(const DownloadFile& what, const QString& file);
    /// Stops the download and keeps the partial file.
    void pause();
    /// Stops the download and deletes the partial file.
    void cancel();

Q_SIGNALS:
    /// Emitted while existing data is verified. `bytes` is the number of bytes verified so far.
    void checking(qint64 bytes);
    /// Emitted at most ten times per second, and at the end of the download.
    void progressed(qint64 bytes);
    void finished();
    /// `detail` is the message of the system or the server.
    void failed(kinescope::ui::DownloadFault fault, const QString& detail);

private:
    enum class Hashing { nothing, finished, part };

    bool prepareFolder();
    void hash(Hashing what, const QString& file);
    void hashSlice();
    void onHashed();
    void request();
    void send(const QUrl& url);
    bool follow(int status);
    DownloadFault accessFault(int status) const;
    bool accept();
    bool acceptWhole();
    bool acceptRange();
    void onReadyRead();
    void onReplyFinished();
    void retryLater(DownloadFault reason, const QString& detail);
    void discardPart();
    void finish();
    void reportProgress(qint64 bytes);
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
    bool accepted_ = false;            ///< the response headers are valid
    int redirects_ = 0;                ///< of this attempt
    std::optional<QByteArray> token_;  ///< of the last request, see DownloaderOptions::tokenFor
    qint64 received_ = 0;              ///< bytes written and hashed
    qint64 farthest_ = 0;              ///< most bytes received by any attempt
    int tries_ = 0;
    QTimer stall_;
    QTimer retry_;
    QTimer slice_;
    QElapsedTimer reported_;
};

}  // namespace kinescope::ui
