#include "ui/models/thumbnail_store.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/models/images.h"

namespace kinescope::ui {
namespace {

constexpr int kFrames = 8;
constexpr int kWidthPx = 240;
constexpr int kMaxRequests = 48;
constexpr int kMemoryKiB = 64 << 10;                   ///< for frames of kWidthPx
constexpr qint64 kMostStripBytes = qint64{256} << 20;  ///< on the disk, thousands of strips
const QString kStripEnding = QStringLiteral(".jpg");

/// Returns the width of frames that are sharp on every screen.
int widthForScreens() {
    return std::max(kWidthPx, static_cast<int>(std::ceil(kWidestThumbnail * qGuiApp->devicePixelRatio())));
}

/// Returns the memory for as many frames as fit into kMemoryKiB with kWidthPx.
int memoryFor(int width) {
    const double ratio = static_cast<double>(width) / kWidthPx;
    return static_cast<int>(kMemoryKiB * ratio * ratio);
}

QString stripName(const QString& file, const QDateTime& made, int width) {
    QString facts = file + QString::number(made.toMSecsSinceEpoch());
    if (width != kWidthPx) facts += QStringLiteral("w%1").arg(width);
    const QByteArray key = facts.toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(key, QCryptographicHash::Sha1).toHex()) + kStripEnding;
}

QImage asStrip(const QList<QImage>& frames) {
    const QSize each = frames.front().size();
    QImage strip(each.width() * static_cast<int>(frames.size()), each.height(), QImage::Format_RGB32);
    QPainter painter(&strip);
    for (int i = 0; i < frames.size(); ++i) painter.drawImage(i * each.width(), 0, frames[i]);
    return strip;
}

QList<QImage> fromStrip(const QImage& strip) {
    const int width = strip.width() / kFrames;
    QList<QImage> frames;
    for (int i = 0; i < kFrames && width > 0; ++i) frames << strip.copy(i * width, 0, width, strip.height());
    return frames;
}

int costOf(const QList<QImage>& frames) {
    qsizetype bytes = 0;
    for (const QImage& frame : frames) bytes += frame.sizeInBytes();
    return static_cast<int>(bytes >> 10) + 1;
}

}  // namespace

ThumbnailStore::ThumbnailStore(EngineBridge& bridge, const QDir& folder, QObject* parent)
    : QObject(parent), bridge_(bridge), folder_(folder), width_(widthForScreens()), memory_(memoryFor(width_)) {
    pool_.setMaxThreadCount(1);
    connect(&bridge_, &EngineBridge::framesRead, this, &ThumbnailStore::onFramesRead);
    connect(&bridge_, &EngineBridge::framesLost, this, &ThumbnailStore::onFramesLost);
    QThreadPool::globalInstance()->start([folder] { limitStrips(folder, kMostStripBytes); });
}

ThumbnailStore::~ThumbnailStore() {
    pool_.clear();
    pool_.waitForDone();
}

QList<QImage> ThumbnailStore::frames(const QString& file, const QDateTime& made) {
    const QString name = stripName(file, made, width_);
    if (const QList<QImage>* known = memory_.object(name)) return *known;
    const Request request{file, name};
    const auto same = [&](const Request& other) { return other.strip == name; };
    if (current_ && same(*current_)) return {};
    requests_.removeIf(same);
    requests_.append(request);
    if (requests_.size() > kMaxRequests) requests_.removeFirst();
    if (!current_) next();
    return {};
}

void ThumbnailStore::next() {
    current_.reset();
    if (requests_.isEmpty()) return;
    current_ = requests_.takeLast();
    readStrip(*current_);
}

void ThumbnailStore::readStrip(const Request& request) {
    pool_.start([this, request, path = folder_.filePath(request.strip)] {
        const QImage strip(path);
        QMetaObject::invokeMethod(
            this,
            [this, request, strip] {
                if (!strip.isNull()) return store(fromStrip(strip));
                bridge_.askFrames(request.file.toStdU16String(), {kFrames, width_});
            },
            Qt::QueuedConnection);
    });
}

bool ThumbnailStore::isCurrent(const std::filesystem::path& video, const FrameSelection& selection) const {
    return current_ && selection.max_frames == kFrames &&
           video == std::filesystem::path(current_->file.toStdU16String());
}

/// Forgets the requests, which an engine that is gone would refuse, too. The views ask again when they are painted.
void ThumbnailStore::onFramesLost(const std::filesystem::path& video, const FrameSelection& selection) {
    if (!isCurrent(video, selection)) return;
    requests_.clear();
    current_.reset();
}

void ThumbnailStore::onFramesRead(const std::filesystem::path& video, const FrameSelection& selection,
                                  const std::vector<FramePtr>& frames) {
    if (!isCurrent(video, selection)) return;
    QList<QImage> images = imagesOf(frames);
    images.removeIf([](const QImage& image) { return image.isNull(); });
    if (images.isEmpty()) return store({});
    while (images.size() < kFrames) images.append(images.back());  // for clips with fewer frames
    pool_.start([folder = folder_, path = folder_.filePath(current_->strip), images] {
        folder.mkpath(QStringLiteral("."));
        asStrip(images).save(path, "JPG", 88);
    });
    store(images);
}

void ThumbnailStore::store(const QList<QImage>& frames) {
    const Request done = *current_;
    memory_.insert(done.strip, new QList<QImage>(frames), costOf(frames));
    next();
    Q_EMIT ready(done.file);
}

void limitStrips(const QDir& folder, qint64 most) {
    qint64 bytes = 0;
    for (const QFileInfo& strip : folder.entryInfoList({QLatin1Char('*') + kStripEnding}, QDir::Files, QDir::Time)) {
        bytes += strip.size();
        if (bytes > most) QFile::remove(strip.filePath());
    }
}

}  // namespace kinescope::ui
