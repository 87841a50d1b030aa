#include "ui/widgets/image_tile.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImageReader>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QPainterPath>
#include <QPointer>
#include <QThreadPool>
#include <QToolTip>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kThumbnail = 192;  ///< px: twice the tile size, for high-DPI screens
constexpr double kRadius = 8;
constexpr double kIcon = 20;
constexpr double kVisibleCut = 0.01;  ///< smaller differences of the shape come from rounded sizes
constexpr double kCutVeil = 0.72;     ///< opacity over what is cut off

/// Returns the first file in the drag or clipboard data, or an empty string if there is none.
QString fileOf(const QMimeData* data) {
    for (const QUrl& url : data->urls())
        if (url.isLocalFile() && QFileInfo(url.toLocalFile()).isFile()) return url.toLocalFile();
    return {};
}

QRectF centered(const QSizeF& size, const QRectF& room) {
    return {room.center() - QPointF(size.width(), size.height()) / 2, size};
}

/// Returns the size of the part of a picture that has the shape of a video.
QSizeF usedSize(const QSizeF& picture, const QSizeF& video) {
    return video.isEmpty() ? picture : video.scaled(picture, Qt::KeepAspectRatio);
}

bool isCut(const QSizeF& picture, const QSizeF& video) {
    const QSizeF used = usedSize(picture, video);
    return used.width() < picture.width() * (1 - kVisibleCut) || used.height() < picture.height() * (1 - kVisibleCut);
}

/// Reads only regular files: settings can come from anybody, and a pipe or a terminal would block the thread for ever.
QImage readSmall(const QString& file) {
    if (!QFileInfo(file).isFile()) return {};
    QImageReader reader(file);
    reader.setAutoTransform(true);
    const QSize size = reader.size();
    if (size.isValid()) reader.setScaledSize(size.scaled(kThumbnail, kThumbnail, Qt::KeepAspectRatioByExpanding));
    return reader.read();
}

}  // namespace

void ImageTile::setHint(const QString& emptyText) {
    emptyText_ = emptyText;
    update();
}

ImageTile::ImageTile(const Theme& theme, const QString& emptyText, QWidget* parent)
    : QAbstractButton(parent), theme_(theme), emptyText_(emptyText) {
    setAccessibleName(emptyText);
    setAcceptDrops(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme_, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
}

void ImageTile::setPlaceholder(const QString& icon) {
    placeholder_ = icon;
    update();
}

void ImageTile::setFile(const QString& file) {
    if (file == file_) return;
    file_ = file;
    thumbnail_ = {};
    setAccessibleDescription(QFileInfo(file).fileName());
    setToolTip(file);
    if (!file.isEmpty()) readThumbnail();
    update();
}

void ImageTile::readThumbnail() {
    QThreadPool::globalInstance()->start([tile = QPointer<ImageTile>(this), file = file_] {
        const QImage image = readSmall(file);
        QMetaObject::invokeMethod(qApp, [tile, file, image] {
            if (tile) tile->setThumbnail(file, image);
        });
    });
}

void ImageTile::setThumbnail(const QString& file, const QImage& frame) {
    if (file != file_ || frame.isNull()) return;
    thumbnail_ = frame;
    update();
}

void ImageTile::setCropSize(const QSize& video) {
    if (video == cropSize_) return;
    cropSize_ = video;
    update();
}

void ImageTile::paintThumbnail(QPainter& painter, const QRectF& frame) const {
    const QSizeF size = thumbnail_.size();
    if (!isCut(size, cropSize_))
        return painter.drawImage(centered(size.scaled(frame.size(), Qt::KeepAspectRatioByExpanding), frame),
                                 thumbnail_);
    const QRectF whole = centered(size.scaled(frame.size(), Qt::KeepAspectRatio), frame);
    const QRectF used = centered(usedSize(whole.size(), cropSize_), frame);
    painter.drawImage(whole, thumbnail_);
    QPainterPath cutOff;  // the rectangles overlap, so that only what is between them is filled
    cutOff.addRect(whole);
    cutOff.addRect(used);
    QColor veil = theme_.color(ColorRole::raised);
    veil.setAlphaF(kCutVeil);
    painter.fillPath(cutOff, veil);
    painter.setPen(QPen(theme_.color(ColorRole::text), 1));
    painter.drawRect(used.adjusted(0.5, 0.5, -0.5, -0.5));
}

void ImageTile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    QPainterPath shape;
    shape.addRoundedRect(frame, kRadius, kRadius);
    painter.fillPath(shape, theme_.color(underMouse() ? ColorRole::hover : ColorRole::raised));
    if (!thumbnail_.isNull()) {
        painter.setClipPath(shape);
        paintThumbnail(painter, frame);
        painter.setClipping(false);
    } else {
        const QRectF icon(frame.center().x() - kIcon / 2, frame.center().y() - kIcon, kIcon, kIcon);
        paintIcon(painter, placeholder_, theme_.color(ColorRole::text2), icon);
        painter.setPen(theme_.color(ColorRole::text2));
        painter.setFont(theme_.font(Type::caption));
        const QRectF below = frame.adjusted(6, frame.height() / 2 + 6, -6, -6);
        const QString name = painter.fontMetrics().elidedText(QFileInfo(file_).fileName(), Qt::ElideMiddle,
                                                              static_cast<int>(below.width()));
        painter.drawText(below, Qt::AlignHCenter | Qt::TextWordWrap, file_.isEmpty() ? emptyText_ : name);
    }
    const bool faulty = property("fault").toBool();
    const bool marked = faulty || hasFocus() || dropping_;
    const QColor edge = faulty   ? theme_.color(ColorRole::error)
                        : marked ? theme_.color(ColorRole::accent)
                                 : theme_.tokens().outline;
    painter.setPen(QPen(edge, marked ? 2 : 1, file_.isEmpty() ? Qt::DashLine : Qt::SolidLine));
    painter.drawPath(shape);
}

void ImageTile::dragEnterEvent(QDragEnterEvent* event) {
    const bool hasPicture = takesPictures_ && event->mimeData()->hasImage();
    if (!hasPicture && fileOf(event->mimeData()).isEmpty()) return;
    dropping_ = true;
    event->acceptProposedAction();
    update();
}

void ImageTile::dragLeaveEvent(QDragLeaveEvent*) {
    dropping_ = false;
    update();
}

void ImageTile::dropEvent(QDropEvent* event) {
    dropping_ = false;
    event->acceptProposedAction();
    update();
    const QString file = fileOf(event->mimeData());
    if (!file.isEmpty()) return Q_EMIT fileGiven(file);
    if (const QImage picture = pictureOf(event->mimeData()); !picture.isNull()) Q_EMIT pictureGiven(picture);
}

void ImageTile::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste)) return paste();
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) {
        Q_EMIT removeRequested();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

QImage ImageTile::pictureOf(const QMimeData* given) const {
    return takesPictures_ && given->hasImage() ? qvariant_cast<QImage>(given->imageData()) : QImage();
}

void ImageTile::paste() {
    const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
    const QString file = copied ? fileOf(copied) : QString();
    if (!file.isEmpty()) return Q_EMIT fileGiven(file);
    const QImage picture = copied ? pictureOf(copied) : QImage();
    if (!picture.isNull()) return Q_EMIT pictureGiven(picture);
    tell(takesPictures_ ? tr("The clipboard contains neither a file nor an image.")
                        : tr("The clipboard contains no file."));
}

void ImageTile::tell(const QString& sentence) {
    QToolTip::showText(mapToGlobal(rect().bottomLeft()), sentence, this);
}

}  // namespace kinescope::ui
