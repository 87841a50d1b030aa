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
constexpr int kLeastStripPx = 240;                     ///< width of each frame
constexpr int kPageTiles = 64;                         ///< that a large window shows together
constexpr int kPages = 2;                              ///< in memory
constexpr qint64 kMostMemory = qint64{256} << 20;      ///< one page at a pixel ratio of 2
constexpr qint64 kBytesPerPixel = 4;                   ///< RGB32
constexpr qint64 kMostStripBytes = qint64{256} << 20;  ///< on the disk, thousands of strips
const QString kStripEnding = QStringLiteral(".jpg");

/// Returns the box for frames that are sharp on every screen.
QSize boxForScreens() {
    const QSizeF box = QSizeF(kLargestThumbnail) * qGuiApp->devicePixelRatio();
    return {static_cast<int>(std::ceil(box.width())), static_cast<int>(std::ceil(box.height()))};
}

/// Returns the memory for all tiles of some pages, in KiB, so that a page that is painted again and again stays.
int memoryFor(QSize box) {
    const qint64 tile = kBytesPerPixel * kFrames * box.width() * box.height();
    return static_cast<int>(std::min(kPages * kPageTiles * tile, kMostMemory) >> 10);
}

/// Returns the width of the frames in a strip, whose height has no limit.
int stripWidth(QSize box) {
    return std::max(kLeastStripPx, box.width());
}

QString stripName(const QString& file, const QDateTime& made, int width) {
    QString facts = file + QString::number(made.toMSecsSinceEpoch());
    if (width != kLeastStripPx) facts += QStringLiteral("w%1").arg(width);
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

/// Scales frames down that are larger than the box.
QList<QImage> fitted(QList<QImage> frames, QSize box) {
    for (QImage& frame : frames)
        if (frame.width() > box.width() || frame.height() > box.height())
            frame = frame.scaled(box, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    return frames;
}

int costOf(const QList<QImage>& frames) {
    qsizetype bytes = 0;
    for (const QImage& frame : frames) bytes += frame.sizeInBytes();
    return static_cast<int>(bytes >> 10) + 1;
}

}  // namespace

ThumbnailStore::ThumbnailStore(EngineBridge& bridge, const QDir& folder, QObject* parent)
    : QObject(parent), bridge_(bridge), folder_(folder), box_(boxForScreens()), memory_(memoryFor(box_)) {
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
    const QString name = stripName(file, made, stripWidth(box_));
    if (const QList<QImage>* known = memory_.object(name)) return *known;
    const Request request{file, name};
    const auto same = [&](const Request& other) { return other.strip == name; };
    if (current_ && same(*current_)) return {};
    requests_.removeIf(same);
    requests_.append(request);
    if (requests_.size() > kPageTiles) requests_.removeFirst();
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
        if (!strip.isNull()) return storeLater(request, fromStrip(strip));
        QMetaObject::invokeMethod(
            this,
            [this, request] {
                bridge_.askFrames(request.file.toStdU16String(), {kFrames, stripWidth(box_)});
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
    if (images.isEmpty()) return store(*current_, {});
    while (images.size() < kFrames) images.append(images.back());  // for clips with fewer frames
    pool_.start([this, request = *current_, folder = folder_, images] {
        storeLater(request, images);
        folder.mkpath(QStringLiteral("."));
        asStrip(images).save(folder.filePath(request.strip), "JPG", 88);
    });
}

/// Runs in the pool, because scaling takes time.
void ThumbnailStore::storeLater(const Request& request, const QList<QImage>& frames) {
    QMetaObject::invokeMethod(
        this, [this, request, small = fitted(frames, box_)] { store(request, small); }, Qt::QueuedConnection);
}

void ThumbnailStore::store(const Request& request, const QList<QImage>& frames) {
    memory_.insert(request.strip, new QList<QImage>(frames), costOf(frames));
    next();
    Q_EMIT ready(request.file);
}

void limitStrips(const QDir& folder, qint64 most) {
    qint64 bytes = 0;
    for (const QFileInfo& strip : folder.entryInfoList({QLatin1Char('*') + kStripEnding}, QDir::Files, QDir::Time)) {
        bytes += strip.size();
        if (bytes > most) QFile::remove(strip.filePath());
    }
}

}  // namespace kinescope::ui
