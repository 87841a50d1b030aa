#include "ui/models/downloader.h"

#include <QDir>
#include <QFileInfo>
#include <QNetworkReply>
#include <QRegularExpression>
#include <QStorageInfo>

#ifdef Q_OS_WIN
#include <io.h>
#else
#include <unistd.h>
#endif

namespace kinescope::ui {
namespace {

constexpr qint64 kSlice = 4 << 20;    ///< bytes hashed at once
constexpr qint64 kBuffer = 4 << 20;   ///< bytes that may wait in memory
constexpr qint64 kSpare = 256 << 20;  ///< bytes that stay free on the disk
constexpr int kTellMs = 100;
constexpr int kMaxRedirects = 10;

/// What was written survives a power cut before the file gets its name.
void synchronise(QFile& file) {
#ifdef Q_OS_WIN
    _commit(file.handle());
#else
    ::fsync(file.handle());
#endif
}

int statusOf(const QNetworkReply& reply) {
    return reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

/// What a server says may pass by itself.
bool mayPass(int status) {
    return status == 0 || status == 408 || status == 425 || status == 429 || status >= 500;
}

}  // namespace

Downloader::Downloader(DownloaderOptions options, QObject* parent)
    : QObject(parent), options_(std::move(options)), file_(this), stall_(this), retry_(this), slice_(this) {
    if (!options_.freeBytes)
        options_.freeBytes = [](const QString& folder) { return QStorageInfo(folder).bytesAvailable(); };
    for (QTimer* timer : {&stall_, &retry_, &slice_}) timer->setSingleShot(true);
    stall_.setInterval(options_.stallMs);
    retry_.setInterval(options_.retryMs);
    slice_.setInterval(0);
    connect(&stall_, &QTimer::timeout, this, [this] { tryAgain(DownloadFault::stalled, {}); });
    connect(&retry_, &QTimer::timeout, this, &Downloader::request);
    connect(&slice_, &QTimer::timeout, this, &Downloader::hashSlice);
}

Downloader::~Downloader() {
    dropReply();
}

void Downloader::start(const DownloadFile& what, const QString& file) {
    stop();
    what_ = what;
    name_ = file;
    tries_ = 0;
    received_ = 0;
    farthest_ = 0;
    told_.invalidate();
    if (QFileInfo::exists(name_)) return hash(Hashing::finished, name_);
    if (makeRoom()) hash(Hashing::part, partOf(name_));
}

void Downloader::pause() {
    stop();
}

void Downloader::cancel() {
    stop();
    QFile::remove(partOf(name_));
}

bool Downloader::makeRoom() {
    const QString folder = QFileInfo(name_).absolutePath();
    if (!QDir().mkpath(folder)) {
        fail(DownloadFault::notWritable, folder);
        return false;
    }
    const qint64 there = QFileInfo(partOf(name_)).size();
    const qint64 needed = what_.bytes - std::min(there, what_.bytes) + kSpare;
    if (options_.freeBytes(folder) >= needed) return true;
    fail(DownloadFault::diskFull, QString::number(needed));
    return false;
}

// ---- what is there already

void Downloader::hash(Hashing what, const QString& file) {
    hashing_ = what;
    hash_.reset();
    received_ = 0;
    file_.setFileName(file);
    const auto mode = what == Hashing::part ? QIODevice::ReadWrite : QIODevice::ReadOnly;
    if (!file_.open(mode)) return fail(DownloadFault::notWritable, file_.errorString());
    if (what == Hashing::part && file_.size() > what_.bytes) file_.resize(0);
    slice_.start();
}

void Downloader::hashSlice() {
    const QByteArray bytes = file_.read(kSlice);
    hash_.addData(bytes);
    received_ += bytes.size();
    if (received_ < file_.size() && !bytes.isEmpty()) {
        Q_EMIT checking(received_);
        return slice_.start();
    }
    hashed();
}

void Downloader::hashed() {
    if (std::exchange(hashing_, Hashing::nothing) == Hashing::finished) {
        file_.close();
        if (received_ == what_.bytes && hash_.result().toHex() == what_.sha256) {
            Q_EMIT finished();
        } else {
            fail(DownloadFault::notWritable, name_);
        }
        return;
    }
    farthest_ = received_;
    received_ == what_.bytes ? finish() : request();
}

// ---- the net

void Downloader::request() {
    if (manager_ == nullptr) manager_ = new QNetworkAccessManager(this);
    QNetworkRequest request(what_.url);
    request.setRawHeader("Accept-Encoding", "identity");
    request.setRawHeader("User-Agent", "Kinescope");
    if (received_ > 0) request.setRawHeader("Range", "bytes=" + QByteArray::number(received_) + '-');
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::NoLessSafeRedirectPolicy);
    request.setMaximumRedirectsAllowed(kMaxRedirects);
    accepted_ = false;
    reply_ = manager_->get(request);
    reply_->setReadBufferSize(kBuffer);
    connect(reply_, &QNetworkReply::readyRead, this, &Downloader::take);
    connect(reply_, &QNetworkReply::finished, this, &Downloader::ended);
    stall_.start();
}

/// Whether the bytes of the answer belong to the file, and where. A false one has been dealt with.
bool Downloader::accept() {
    if (accepted_) return true;
    const int status = statusOf(*reply_);
    if (status == 200) return accepted_ = acceptWhole();
    if (status == 206) return accepted_ = acceptRest();
    return false;
}

bool Downloader::acceptWhole() {
    const QVariant length = reply_->header(QNetworkRequest::ContentLengthHeader);
    if (length.isValid() && length.toLongLong() != what_.bytes) {
        fail(DownloadFault::wrongLength, length.toString());
        return false;
    }
    if (received_ > 0) beginAnew();  // the server knows no ranges
    return true;
}

bool Downloader::acceptRest() {
    static const QRegularExpression range(QStringLiteral("^bytes (\\d+)-(\\d+)/(\\d+|\\*)$"));
    const auto match = range.match(QString::fromLatin1(reply_->rawHeader("Content-Range")).trimmed());
    const bool fits = match.hasMatch() && match.captured(1).toLongLong() == received_ &&
                      (match.captured(3) == QLatin1String("*") || match.captured(3).toLongLong() == what_.bytes);
    if (fits) return true;
    const QString said = QString::fromLatin1(reply_->rawHeader("Content-Range"));
    beginAnew();  // another try asks for the whole
    tryAgain(DownloadFault::wrongLength, said);
    return false;
}

void Downloader::take() {
    if (!reply_ || !accept()) return;
    const QByteArray bytes = reply_->readAll();
    if (bytes.isEmpty()) return;
    if (received_ + bytes.size() > what_.bytes) {
        const QString sent = QString::number(received_ + bytes.size());
        beginAnew();
        return fail(DownloadFault::wrongLength, sent);
    }
    if (file_.write(bytes) != bytes.size() || !file_.flush()) {
        const bool full = options_.freeBytes(QFileInfo(name_).absolutePath()) < kSpare;
        return fail(full ? DownloadFault::diskFull : DownloadFault::notWritable, file_.errorString());
    }
    hash_.addData(bytes);
    received_ += bytes.size();
    if (received_ > farthest_) {
        farthest_ = received_;
        tries_ = 0;
    }
    stall_.start();
    tell(received_);
}

void Downloader::ended() {
    take();
    if (!reply_) return;  // it was found wrong
    const int status = statusOf(*reply_);
    const QString said = reply_->errorString();
    const bool insecure = reply_->error() == QNetworkReply::InsecureRedirectError ||
                          reply_->error() == QNetworkReply::TooManyRedirectsError;
    if (received_ == what_.bytes) return finish();
    if (status == 416) {
        beginAnew();
        return tryAgain(DownloadFault::refused, said);
    }
    const bool answered = status == 200 || status == 206;
    if (insecure || (!answered && !mayPass(status))) return fail(DownloadFault::refused, said);
    tryAgain(answered || status == 0 ? DownloadFault::unreachable : DownloadFault::refused, said);
}

void Downloader::tryAgain(DownloadFault reason, const QString& detail) {
    dropReply();
    if (++tries_ >= options_.maxTries) return fail(reason, detail);
    retry_.start();
}

void Downloader::beginAnew() {
    file_.resize(0);
    file_.seek(0);
    hash_.reset();
    received_ = 0;
}

// ---- the end

void Downloader::finish() {
    dropReply();
    tell(received_);
    synchronise(file_);
    file_.close();
    if (hash_.result().toHex() != what_.sha256) {
        const QString found = QString::fromLatin1(hash_.result().toHex());
        QFile::remove(partOf(name_));
        return fail(DownloadFault::wrongHash, found);
    }
    if (!QFile::rename(partOf(name_), name_)) return fail(DownloadFault::notWritable, name_);
    Q_EMIT finished();
}

void Downloader::tell(qint64 bytes) {
    if (told_.isValid() && told_.elapsed() < kTellMs && bytes < what_.bytes) return;
    told_.start();
    Q_EMIT progressed(bytes);
}

void Downloader::dropReply() {
    stall_.stop();
    if (!reply_) return;
    reply_->disconnect(this);
    if (reply_->isRunning()) reply_->abort();
    reply_->deleteLater();
    reply_.clear();
}

void Downloader::stop() {
    dropReply();
    retry_.stop();
    slice_.stop();
    hashing_ = Hashing::nothing;
    file_.close();
}

void Downloader::fail(DownloadFault fault, const QString& detail) {
    stop();
    Q_EMIT failed(fault, detail);
}

}  // namespace kinescope::ui
