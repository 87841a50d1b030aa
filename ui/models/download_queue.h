#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSet>
#include <QThread>

#include "ui/models/downloader.h"

namespace kinescope::ui {

enum class DownloadState { offered, waiting, checking, receiving, paused, done, failed };

/// One offer, and how far it has come.
struct DownloadRow {
    DownloadOffer offer;
    DownloadState state = DownloadState::offered;
    qint64 received = 0;        ///< of all its files together
    double bytesPerSecond = 0;  ///< 0: not known yet
    DownloadFault fault = DownloadFault::none;
    QString detail;  ///< what the system or the server said
    QString file;    ///< name of the file that is being fetched, or failed
};

/// The models that can be fetched, one download at a time, each file after the other, on a thread of its own. What an
/// earlier start of the program left half done shows as paused. Nothing is fetched without start().
class DownloadQueue : public QObject {
    Q_OBJECT

public:
    /// `folder`: where the files go, laid out as ComfyUI's models.
    DownloadQueue(QList<DownloadOffer> offers, QString folder, DownloaderOptions options, QObject* parent = nullptr);
    /// Pauses what runs.
    ~DownloadQueue() override;

    const QList<DownloadRow>& rows() const { return rows_; }
    QString folder() const { return folder_; }
    /// The offer that is being fetched; -1: none.
    int active() const { return active_; }

    /// Also goes on with what is paused, and tries again what failed.
    void start(int row);
    void pause(int row);
    /// Removes what is half done; whole files stay.
    void cancel(int row);

Q_SIGNALS:
    void changed(int row);
    void finished(int row);

private:
    QString pathOf(const DownloadFile& file) const;
    void lookAtDisk(DownloadRow& row) const;
    void startNext();
    void fetchFile();
    void takeChecking(qint64 bytes);
    void takeProgress(qint64 bytes);
    void takeFile();
    void takeFault(DownloadFault fault, const QString& detail);
    void measure(qint64 bytes);
    void leave(DownloadState state);
    void setState(int row, DownloadState state);
    template <class Call>
    void onThread(Call call);

    QList<DownloadRow> rows_;
    QString folder_;
    QThread thread_;
    Downloader* downloader_;
    int active_ = -1;
    int file_ = 0;            ///< of the active offer
    qint64 before_ = 0;       ///< bytes of its files before that one
    int generation_ = 0;      ///< answers to an order that was taken back are passed over
    QSet<QString> verified_;  ///< files found right in this run of the program
    QElapsedTimer clock_;
    qint64 measured_ = 0;
};

}  // namespace kinescope::ui
