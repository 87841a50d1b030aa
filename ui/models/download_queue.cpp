#include "ui/models/download_queue.h"

#include <QDir>
#include <QFileInfo>

namespace kinescope::ui {

DownloadQueue::DownloadQueue(QList<DownloadOffer> offers, QString folder, DownloaderOptions options, QObject* parent)
    : QObject(parent), folder_(std::move(folder)), downloader_(new Downloader(std::move(options))) {
    for (DownloadOffer& offer : offers) {
        DownloadRow row{.offer = std::move(offer)};
        updateFromDisk(row);
        rows_ << row;
    }
    downloader_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, downloader_, &QObject::deleteLater);
    thread_.setObjectName(QStringLiteral("downloads"));
    thread_.start();
}

DownloadQueue::~DownloadQueue() {
    thread_.quit();
    thread_.wait();
}

template <class Call>
void DownloadQueue::onThread(Call call) {
    QMetaObject::invokeMethod(downloader_, [downloader = downloader_, call] { call(*downloader); });
}

QString DownloadQueue::pathOf(const DownloadFile& file) const {
    return QDir(folder_).filePath(file.target);
}

void DownloadQueue::updateFromDisk(DownloadRow& row) const {
    row.received = 0;
    bool whole = true;
    for (const DownloadFile& file : row.offer.files) {
        const QFileInfo there(pathOf(file));
        whole = whole && there.exists() && there.size() == file.bytes;
        const QFileInfo any(there.exists() ? there.filePath() : Downloader::partOf(there.filePath()));
        row.received += any.exists() ? std::min(any.size(), file.bytes) : 0;
    }
    const bool begun = std::any_of(row.offer.files.begin(), row.offer.files.end(), [this](const DownloadFile& file) {
        return QFileInfo::exists(Downloader::partOf(pathOf(file)));
    });
    row.state = whole ? DownloadState::done : begun ? DownloadState::paused : DownloadState::offered;
}

void DownloadQueue::start(int row) {
    const DownloadState state = rows_[row].state;
    if (state == DownloadState::waiting || row == active_ || state == DownloadState::done) return;
    rows_[row].fault = DownloadFault::none;
    setState(row, DownloadState::waiting);
    startNext();
}

void DownloadQueue::pause(int row) {
    if (row == active_) {
        onThread([](Downloader& downloader) { downloader.pause(); });
        finishActive(DownloadState::paused);
        startNext();
    } else if (rows_[row].state == DownloadState::waiting) {
        updateFromDisk(rows_[row]);
        Q_EMIT changed(row);
    }
}

void DownloadQueue::cancel(int row) {
    if (row == active_) {
        onThread([](Downloader& downloader) { downloader.cancel(); });
        finishActive(DownloadState::offered);
    }
    for (const DownloadFile& file : rows_[row].offer.files) QFile::remove(Downloader::partOf(pathOf(file)));
    rows_[row].fault = DownloadFault::none;
    rows_[row].received = 0;
    setState(row, DownloadState::offered);
    startNext();
}

void DownloadQueue::startNext() {
    if (active_ >= 0) return;
    for (int row = 0; row < rows_.size(); ++row) {
        if (rows_[row].state != DownloadState::waiting) continue;
        active_ = row;
        file_ = 0;
        before_ = 0;
        rate_.reset();
        rows_[row].bytesPerSecond = 0;
        return fetchFile();
    }
}

void DownloadQueue::fetchFile() {
    DownloadRow& row = rows_[active_];
    while (file_ < row.offer.files.size() && verified_.contains(pathOf(row.offer.files[file_])))
        before_ += row.offer.files[file_++].bytes;
    if (file_ == row.offer.files.size()) {
        const int done = active_;
        row.received = row.offer.bytes();
        finishActive(DownloadState::done);
        Q_EMIT finished(done);
        return startNext();
    }
    const DownloadFile& file = row.offer.files[file_];
    row.file = QFileInfo(file.target).fileName();
    setState(active_, DownloadState::checking);
    // Ignore signals of the downloader that belong to an earlier order.
    const int order = ++generation_;
    disconnect(downloader_, nullptr, this, nullptr);
    const auto forThisOrder = [this, order](auto call) {
        return [this, order, call](auto&&... values) {
            if (order == generation_ && active_ >= 0) call(values...);
        };
    };
    connect(downloader_, &Downloader::checking, this, forThisOrder([this](qint64 bytes) { onChecking(bytes); }));
    connect(downloader_, &Downloader::progressed, this, forThisOrder([this](qint64 bytes) { onProgress(bytes); }));
    connect(downloader_, &Downloader::finished, this, forThisOrder([this] { onFileFinished(); }));
    connect(downloader_, &Downloader::failed, this,
            forThisOrder([this](DownloadFault fault, const QString& detail) { onFailed(fault, detail); }));
    onThread([file, path = pathOf(file)](Downloader& downloader) { downloader.start(file, path); });
}

void DownloadQueue::onChecking(qint64 bytes) {
    rows_[active_].received = before_ + bytes;
    setState(active_, DownloadState::checking);
}

void DownloadQueue::onProgress(qint64 bytes) {
    rows_[active_].received = before_ + bytes;
    rate_.measure(bytes);
    rows_[active_].bytesPerSecond = rate_.bytesPerSecond();
    setState(active_, DownloadState::receiving);
}

void DownloadQueue::onFileFinished() {
    verified_.insert(pathOf(rows_[active_].offer.files[file_]));
    rate_.interrupt();
    fetchFile();
}

void DownloadQueue::onFailed(DownloadFault fault, const QString& detail) {
    DownloadRow& row = rows_[active_];
    row.fault = fault;
    row.detail = detail;
    finishActive(DownloadState::failed);
    startNext();
}

void DownloadQueue::finishActive(DownloadState state) {
    ++generation_;
    rows_[active_].bytesPerSecond = 0;
    setState(std::exchange(active_, -1), state);
}

void DownloadQueue::setState(int row, DownloadState state) {
    rows_[row].state = state;
    Q_EMIT changed(row);
}

}  // namespace kinescope::ui
