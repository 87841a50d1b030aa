#pragma once

#include <QObject>
#include <QSet>
#include <QThread>

#include "ui/models/downloader.h"
#include "ui/models/transfer_rate.h"

namespace kinescope::ui {

enum class DownloadState { offered, waiting, checking, receiving, paused, done, failed };

/// An offer and its download progress.
struct DownloadRow {
    DownloadOffer offer;
    DownloadState state = DownloadState::offered;
    qint64 received = 0;        ///< bytes of all its files
    double bytesPerSecond = 0;  ///< 0: unknown
    DownloadFault fault = DownloadFault::none;
    QString detail;         ///< the message of the system or the server
    QString file;           ///< name of the current or failed file
    bool verified = false;  ///< the SHA-256 of all its files was checked in this session
};

/// The downloadable models. Downloads one model at a time, file by file, on a separate thread. Files and partial
/// downloads of earlier sessions appear once refresh() has read the folder. Nothing is downloaded before start().
class DownloadQueue : public QObject {
    Q_OBJECT

public:
    /// `folder` is the target model folder, with the layout of ComfyUI. Calls refresh().
    DownloadQueue(QList<DownloadOffer> offers, QString folder, DownloaderOptions options, QObject* parent = nullptr);
    /// Pauses the active download.
    ~DownloadQueue() override;

    const QList<DownloadRow>& rows() const { return rows_; }
    QString folder() const { return folder_; }
    /// Returns the row that is being downloaded, or -1 if there is none.
    int active() const { return active_; }

    /// Reads on a background thread which files exist, also those that another program wrote or deleted. Rows that are
    /// being downloaded, wait or have failed keep their state.
    void refresh();
    /// Starts, resumes or retries a download.
    void start(int row);
    void pause(int row);
    /// Cancels a download. Deletes its partial files and keeps its complete ones.
    void cancel(int row);

Q_SIGNALS:
    void changed(int row);
    void finished(int row);

private:
    QString pathOf(const DownloadFile& file) const;
    void startNext();
    void fetchFile();
    void onChecking(qint64 bytes);
    void onProgress(qint64 bytes);
    void onFileFinished();
    void onFailed(DownloadFault fault, const QString& detail);
    void finishActive(DownloadState state);
    void setState(int row, DownloadState state);
    template <class Call>
    void onThread(Call call);

    QList<DownloadRow> rows_;
    QString folder_;
    QThread thread_;
    Downloader* downloader_;
    int active_ = -1;
    int file_ = 0;            ///< index of the current file in the active offer
    qint64 before_ = 0;       ///< bytes of the files before the current one
    int generation_ = 0;      ///< results of a cancelled order carry an older number and are ignored
    QSet<QString> verified_;  ///< files verified in this session
    QSet<int> changedRows_;   ///< rows that have changed since the last call of refresh()
    int refreshes_ = 0;       ///< calls of refresh()
    TransferRate rate_;
};

}  // namespace kinescope::ui
