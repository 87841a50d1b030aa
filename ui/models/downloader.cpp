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

constexpr qint64 kSlice = 4 << 20;    ///< bytes hashed before events are processed again
constexpr qint64 kBuffer = 4 << 20;   ///< bytes buffered in memory
constexpr qint64 kSpare = 256 << 20;  ///< bytes to leave free on the disk
constexpr int kReportMs = 100;
constexpr int kMaxRedirects = 10;

/// Flushes the file to disk, so that the data survives a power failure before the rename.
void synchronize(QFile& file) {
#ifdef Q_OS_WIN
    _commit(file.handle());
#else
    ::fsync(file.handle());
#endif
}

int statusOf(const QNetworkReply& reply) {
    return reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

/// Returns true for an HTTP status that may be temporary.
bool isTemporary(int status) {
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
    connect(&stall_, &QTimer::timeout, this, [this] { retryLater(DownloadFault::stalled, {}); });
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
    reported_.invalidate();
    if (QFileInfo::exists(name_)) return hash(Hashing::finished, name_);
    if (prepareFolder()) hash(Hashing::part, partOf(name_));
}

void Downloader::pause() {
    stop();
}

void Downloader::cancel() {
    stop();
    QFile::remove(partOf(name_));
}

bool Downloader::prepareFolder() {
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

// ---- Checking existing files ----

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
    onHashed();
}

void Downloader::onHashed() {
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

// ---- Network requests ----

/// Begins an attempt.
void Downloader::request() {
    redirects_ = 0;
    send(what_.url);
}

void Downloader::send(const QUrl& url) {
    if (manager_ == nullptr) manager_ = new QNetworkAccessManager(this);
    QNetworkRequest request(url);
    request.setRawHeader("Accept-Encoding", "identity");
    request.setRawHeader("User-Agent", "Kinescope");
    if (received_ > 0) request.setRawHeader("Range", "bytes=" + QByteArray::number(received_) + '-');
    token_ = options_.tokenFor ? options_.tokenFor(url) : std::nullopt;
    if (token_ && !token_->isEmpty()) request.setRawHeader("Authorization", "Bearer " + *token_);
    // Qt sends all headers to the target of a redirect, including the token.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    accepted_ = false;
    reply_ = manager_->get(request);
    reply_->setReadBufferSize(kBuffer);
    connect(reply_, &QNetworkReply::readyRead, this, &Downloader::onReadyRead);
    connect(reply_, &QNetworkReply::finished, this, &Downloader::onReplyFinished);
    stall_.start();
}

/// Follows a redirect to an address that is as safe. Returns false if the response is none.
bool Downloader::follow(int status) {
    const bool isRedirect = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    if (!isRedirect) return false;
    const QUrl from = reply_->url();
    const QUrl to = from.resolved(QUrl::fromEncoded(reply_->rawHeader("Location")));
    const bool isWeb = to.scheme() == QLatin1String("https") || to.scheme() == from.scheme();
    dropReply();
    if (!to.isValid() || to.host().isEmpty() || !isWeb || ++redirects_ > kMaxRedirects)
        fail(DownloadFault::refused, tr("Too many redirects, or an unsafe one, to %1.").arg(to.host()));
    else
        send(to);
    return true;
}

/// Returns why a host that takes tokens refuses a download, or `none` if it has another reason.
DownloadFault Downloader::accessFault(int status) const {
    if (!token_ || (status != 401 && status != 403)) return DownloadFault::none;
    if (token_->isEmpty()) return DownloadFault::tokenNeeded;
    return status == 401 ? DownloadFault::tokenRefused : DownloadFault::noAccess;
}

/// Returns true if the response contains the expected bytes. Otherwise handles the invalid response.
bool Downloader::accept() {
    if (accepted_) return true;
    const int status = statusOf(*reply_);
    if (status == 200) return accepted_ = acceptWhole();
    if (status == 206) return accepted_ = acceptRange();
    return false;
}

bool Downloader::acceptWhole() {
    const QVariant length = reply_->header(QNetworkRequest::ContentLengthHeader);
    if (length.isValid() && length.toLongLong() != what_.bytes) {
        fail(DownloadFault::wrongLength, length.toString());
        return false;
    }
    if (received_ > 0) discardPart();  // the server does not support ranges
    return true;
}

bool Downloader::acceptRange() {
    static const QRegularExpression range(QStringLiteral("^bytes (\\d+)-(\\d+)/(\\d+|\\*)$"));
    const auto match = range.match(QString::fromLatin1(reply_->rawHeader("Content-Range")).trimmed());
    const bool matches = match.hasMatch() && match.captured(1).toLongLong() == received_ &&
                         (match.captured(3) == QLatin1String("*") || match.captured(3).toLongLong() == what_.bytes);
    if (matches) return true;
    const QString message = QString::fromLatin1(reply_->rawHeader("Content-Range"));
    discardPart();  // the next attempt requests the whole file
    retryLater(DownloadFault::wrongLength, message);
    return false;
}

void Downloader::onReadyRead() {
    if (!reply_ || !accept()) return;
    const QByteArray bytes = reply_->readAll();
    if (bytes.isEmpty()) return;
    if (received_ + bytes.size() > what_.bytes) {
        const QString sent = QString::number(received_ + bytes.size());
        discardPart();
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
    reportProgress(received_);
}

void Downloader::onReplyFinished() {
    onReadyRead();
    if (!reply_) return;  // the response was rejected
    const int status = statusOf(*reply_);
    const QString message = reply_->errorString();
    if (follow(status)) return;
    if (const DownloadFault fault = accessFault(status); fault != DownloadFault::none) return fail(fault, {});
    if (received_ == what_.bytes) return finish();
    if (status == 416) {
        discardPart();
        return retryLater(DownloadFault::refused, message);
    }
    const bool answered = status == 200 || status == 206;
    if (!answered && !isTemporary(status)) return fail(DownloadFault::refused, message);
    retryLater(answered || status == 0 ? DownloadFault::unreachable : DownloadFault::refused, message);
}

void Downloader::retryLater(DownloadFault reason, const QString& detail) {
    dropReply();
    if (++tries_ >= options_.maxTries) return fail(reason, detail);
    retry_.start();
}

void Downloader::discardPart() {
    file_.resize(0);
    file_.seek(0);
    hash_.reset();
    received_ = 0;
}

// ---- End of a download ----

void Downloader::finish() {
    dropReply();
    reportProgress(received_);
    synchronize(file_);
    file_.close();
    if (hash_.result().toHex() != what_.sha256) {
        const QString found = QString::fromLatin1(hash_.result().toHex());
        QFile::remove(partOf(name_));
        return fail(DownloadFault::wrongHash, found);
    }
    if (!QFile::rename(partOf(name_), name_)) return fail(DownloadFault::notWritable, name_);
    Q_EMIT finished();
}

void Downloader::reportProgress(qint64 bytes) {
    if (reported_.isValid() && reported_.elapsed() < kReportMs && bytes < what_.bytes) return;
    reported_.start();
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
