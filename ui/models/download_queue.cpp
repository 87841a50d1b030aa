#include "ui/models/download_queue.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "ui/models/in_pool.h"

namespace kinescope::ui {
namespace {

/// What the disk contains of an offer.
struct OnDisk {
    DownloadState state = DownloadState::offered;
    qint64 received = 0;
    QStringList whole;  ///< files with the right size
};

OnDisk readDisk(const DownloadOffer& offer, const QDir& folder) {
    OnDisk found;
    bool begun = false;
    for (const DownloadFile& file : offer.files) {
        const QFileInfo there(folder.filePath(file.target));
        const QFileInfo part(Downloader::partOf(there.filePath()));
        if (there.exists() && there.size() == file.bytes) found.whole << there.filePath();
        begun = begun || part.exists();
        const QFileInfo& any = there.exists() ? there : part;
        found.received += any.exists() ? std::min(any.size(), file.bytes) : 0;
    }
    if (found.whole.size() == offer.files.size())
        found.state = DownloadState::done;
    else if (begun)
        found.state = DownloadState::paused;
    return found;
}

/// Returns true for a state that only the files on the disk decide.
bool isAtRest(DownloadState state) {
    return state == DownloadState::offered || state == DownloadState::paused || state == DownloadState::done;
}

}  // namespace

DownloadQueue::DownloadQueue(QList<DownloadOffer> offers, QString folder, DownloaderOptions options, QObject* parent)
    : QObject(parent), folder_(std::move(folder)), downloader_(new Downloader(std::move(options))) {
    for (DownloadOffer& offer : offers) rows_ << DownloadRow{.offer = std::move(offer)};
    downloader_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, downloader_, &QObject::deleteLater);
    thread_.setObjectName(QStringLiteral("downloads"));
    thread_.start();
    refresh();
}

DownloadQueue::~DownloadQueue() {
    onThread([thread = &thread_](Downloader&) { thread->quit(); });  // after the orders before it
    thread_.wait();
}

template <class Call>
void DownloadQueue::onThread(Call call) {
    QMetaObject::invokeMethod(downloader_, [downloader = downloader_, call] { call(*downloader); });
}

QString DownloadQueue::pathOf(const DownloadFile& file) const {
    return QDir(folder_).filePath(file.target);
}

void DownloadQueue::refresh() {
    changedRows_.clear();
    QList<DownloadOffer> offers;
    for (const DownloadRow& row : rows_) offers << row.offer;
    const auto read = [offers, folder = QDir(folder_)] {
        QList<OnDisk> found;
        for (const DownloadOffer& offer : offers) found << readDisk(offer, folder);
        return found;
    };
    inPool(this, read, [this, ticket = ++refreshes_](const QList<OnDisk>& found) {
        if (ticket != refreshes_) return;
        for (int i = 0; i < rows_.size(); ++i) {
            DownloadRow& row = rows_[i];
            if (changedRows_.contains(i) || !isAtRest(row.state)) continue;
            row.state = found[i].state;
            row.received = found[i].received;
            for (const DownloadFile& file : row.offer.files)
                if (!found[i].whole.contains(pathOf(file))) verified_.remove(pathOf(file));
            row.verified = std::all_of(row.offer.files.begin(), row.offer.files.end(),
                                       [this](const DownloadFile& file) { return verified_.contains(pathOf(file)); });
            Q_EMIT changed(i);
        }
    });
}

void DownloadQueue::start(int row) {
    const DownloadState state = rows_[row].state;
    if (state == DownloadState::waiting || row == active_ || state == DownloadState::done) return;
    rows_[row].fault = DownloadFault::none;
    rows_[row].verified = false;
    setState(row, DownloadState::waiting);
    startNext();
}

void DownloadQueue::pause(int row) {
    if (row == active_) {
        onThread([](Downloader& downloader) { downloader.pause(); });
        finishActive(DownloadState::paused);
        startNext();
    } else if (rows_[row].state == DownloadState::waiting) {
        setState(row, rows_[row].received > 0 ? DownloadState::paused : DownloadState::offered);
        refresh();
    }
}

void DownloadQueue::cancel(int row) {
    if (row == active_) {
        onThread([](Downloader& downloader) { downloader.cancel(); });
        finishActive(DownloadState::offered);
    }
    QStringList parts;
    for (const DownloadFile& file : rows_[row].offer.files) parts << Downloader::partOf(pathOf(file));
    onThread([parts](Downloader&) {
        for (const QString& part : parts) QFile::remove(part);
    });
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
        row.verified = true;
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
    changedRows_.insert(row);
    Q_EMIT changed(row);
}

}  // namespace kinescope::ui
