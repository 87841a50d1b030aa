#include "ui/widgets/frame_player.h"

#include <QApplication>
#include <QDrag>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/widgets/icons.h"
#include "ui/widgets/language.h"

namespace kinescope::ui {

namespace {

QImage drawable(const QImage& image) {
    return image.format() == QImage::Format_RGB32 ? image : image.convertToFormat(QImage::Format_RGB32);
}

}  // namespace

FramePlayer::FramePlayer(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::Graphic, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    inEveryLanguage(this, [this] { setAccessibleName(tr("Preview")); });
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &FramePlayer::tick);
}

FramePlayer::Kind FramePlayer::kind() const {
    if (num_final_ > 0) return Kind::final;
    return previews_.isEmpty() ? Kind::none : Kind::latent;
}

QString FramePlayer::kindName() const {
    switch (kind()) {
        case Kind::latent:
            return QStringLiteral("latent");
        case Kind::final:
            return QStringLiteral("final");
        case Kind::none:
            break;
    }
    return QStringLiteral("none");
}

void FramePlayer::setPreview(const QList<QImage>& pictures, int num_frames, int frames_each) {
    if (pictures.isEmpty()) return;
    const bool first = kind() == Kind::none;
    previews_.clear();
    for (const QImage& picture : pictures) previews_.append(drawable(picture));
    finals_.clear();
    num_final_ = 0;
    frames_each_ = frames_each;
    const int total = std::max(num_frames, 1);
    head_.setRange(total, total);
    if (first) head_.play();
    changed(!first && head_.isPlaying());
}

void FramePlayer::appendFrames(int first, const QList<QImage>& frames, int num_frames) {
    if (first < 0 || frames.isEmpty()) return;
    const bool was_playing = head_.isPlaying();
    const bool fresh = kind() == Kind::none;
    const auto end = first + frames.size();
    if (finals_.size() < end) finals_.resize(end);
    for (qsizetype i = 0; i < frames.size(); ++i) finals_[first + i] = drawable(frames[i]);
    while (num_final_ < finals_.size() && !finals_[num_final_].isNull()) ++num_final_;
    const int total = std::max(num_frames, static_cast<int>(finals_.size()));
    head_.setRange(total, previews_.isEmpty() ? num_final_ : total);
    if (num_final_ == total) previews_.clear();
    if (fresh) head_.play();
    changed(was_playing);
}

void FramePlayer::setFrames(const QList<QImage>& frames, double fps) {
    clear();
    setFps(fps);
    appendFrames(0, frames, static_cast<int>(frames.size()));
}

void FramePlayer::clear() {
    const bool was_playing = head_.isPlaying();
    previews_.clear();
    finals_.clear();
    num_final_ = 0;
    scaled_ = {};
    head_.setRange(0, 0);
    changed(was_playing);
}

void FramePlayer::changed(bool was_playing) {
    scaled_key_ = 0;
    runTimer();
    Q_EMIT framesChanged();
    if (was_playing != head_.isPlaying()) Q_EMIT playingChanged(head_.isPlaying());
    showFrame();
}

void FramePlayer::setFps(double fps) {
    head_.setFps(fps);
    shown_fps_ = 0;
    runTimer();
    Q_EMIT rateChanged();
}

void FramePlayer::setSpeed(double speed) {
    head_.setSpeed(speed);
    shown_fps_ = 0;
    runTimer();
    Q_EMIT rateChanged();
}

void FramePlayer::setFinalSize(const QSize& size) {
    final_size_ = size;
    scaled_key_ = 0;
    update();
}

void FramePlayer::setZoom(Zoom zoom) {
    zoom_ = zoom;
    magnification_ = 1;
    pan_ = {};
    scaled_key_ = 0;
    update();
    Q_EMIT zoomChanged();
}

void FramePlayer::setBadge(const QString& text) {
    if (text == badge_) return;
    badge_ = text;
    update();
}

void FramePlayer::setEmptyState(const QString& icon, const QString& title, const QString& text) {
    empty_icon_ = icon;
    empty_title_ = title;
    empty_text_ = text;
    update();
}

QImage FramePlayer::currentImage() const {
    const int frame = head_.frame();
    if (frame < finals_.size() && !finals_[frame].isNull()) return finals_[frame];
    const int preview = previewIndex(frame, head_.numFrames(), static_cast<int>(previews_.size()), frames_each_);
    return preview < 0 ? QImage() : previews_[preview];
}

// ---- time

void FramePlayer::play() {
    if (head_.isPlaying()) return;
    head_.play();
    runTimer();
    if (head_.isPlaying()) Q_EMIT playingChanged(true);
}

void FramePlayer::pause() {
    if (!head_.isPlaying()) return;
    head_.pause();
    runTimer();
    Q_EMIT playingChanged(false);
}

void FramePlayer::togglePlaying() {
    head_.isPlaying() ? pause() : play();
}

void FramePlayer::setLooping(bool looping) {
    if (looping == head_.isLooping()) return;
    head_.setLooping(looping);
    Q_EMIT loopingChanged(looping);
}

void FramePlayer::seek(int frame) {
    head_.seek(frame);
    showFrame();
}

void FramePlayer::step(int delta) {
    pause();
    seek(head_.frame() + delta);
}

void FramePlayer::runTimer() {
    const bool runs = head_.isPlaying() && isVisible() && head_.numReady() > 1;
    if (!runs) {
        timer_.stop();
        return;
    }
    timer_.setInterval(std::max(4, static_cast<int>(1000 / (head_.fps() * head_.speed()))));
    if (timer_.isActive()) return;
    clock_.start();
    rate_clock_.start();
    frames_counted_ = 0;
    timer_.start();
}

void FramePlayer::tick() {
    const bool moved = head_.advance(static_cast<double>(clock_.nsecsElapsed()) * 1e-9);
    clock_.restart();
    if (moved) {
        countFrame();
        showFrame();
    }
    if (!head_.isPlaying()) {
        timer_.stop();
        Q_EMIT playingChanged(false);
    }
}

void FramePlayer::countFrame() {
    ++frames_counted_;
    const qint64 passed_ms = rate_clock_.elapsed();
    if (passed_ms < 1000) return;
    shown_fps_ = frames_counted_ * 1000.0 / static_cast<double>(passed_ms);
    frames_counted_ = 0;
    rate_clock_.restart();
    Q_EMIT rateChanged();
}

void FramePlayer::showFrame() {
    // Said aloud only while still: a playing clip would never stop talking.
    if (!head_.isPlaying()) {
        setValueText(head_.numFrames() == 0 ? empty_title_
                                            : tr("Frame %1 of %2").arg(head_.frame() + 1).arg(head_.numFrames()));
    }
    update();
    Q_EMIT frameShown(head_.frame());
}

void FramePlayer::showEvent(QShowEvent* event) {
    PaintedWidget::showEvent(event);
    runTimer();
}

void FramePlayer::hideEvent(QHideEvent* event) {
    PaintedWidget::hideEvent(event);
    timer_.stop();
}

void FramePlayer::resizeEvent(QResizeEvent* event) {
    PaintedWidget::resizeEvent(event);
    scaled_key_ = 0;
}

// ---- input

void FramePlayer::keyPressEvent(QKeyEvent* event) {
    if (!handleKey(event->key(), event->modifiers())) PaintedWidget::keyPressEvent(event);
}

bool FramePlayer::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    // Ctrl and Alt belong to the menus.
    if (modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
    const int stride = modifiers & Qt::ShiftModifier ? 10 : 1;
    switch (key) {
        case Qt::Key_Space:
            togglePlaying();
            return true;
        case Qt::Key_Left:
            step(-stride);
            return true;
        case Qt::Key_Right:
            step(stride);
            return true;
        case Qt::Key_Home:
            step(-head_.numFrames());
            return true;
        case Qt::Key_End:
            step(head_.numFrames());
            return true;
        case Qt::Key_L:
            setLooping(!isLooping());
            return true;
        case Qt::Key_C:
            Q_EMIT compareRequested();
            return true;
        case Qt::Key_S:
            Q_EMIT saveFrameRequested();
            return true;
        case Qt::Key_F:
            Q_EMIT theatreRequested();
            return true;
        case Qt::Key_Escape:
            Q_EMIT theatreLeft();
            return true;
        default:
            return false;
    }
}

void FramePlayer::wheelEvent(QWheelEvent* event) {
    const int turn = event->angleDelta().y();
    if (turn == 0 || kind() == Kind::none) return;
    if (event->modifiers() & Qt::ControlModifier) {
        magnification_ = std::clamp(magnification_ * std::pow(1.25, turn / 120.0), 0.25, 16.0);
        scaled_key_ = 0;
        update();
    } else {
        step(turn > 0 ? -1 : 1);
    }
    event->accept();
}

void FramePlayer::mousePressEvent(QMouseEvent* event) {
    press_ = event->position();
    pan_at_press_ = pan_;
}

void FramePlayer::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton) || kind() == Kind::none) return;
    const QPointF moved = event->position() - press_;
    const QSizeF shown = shownSize(currentImage());
    const QPointF spare((shown.width() - width()) / 2, (shown.height() - height()) / 2);
    if (spare.x() > 0 || spare.y() > 0) {
        const auto limit = [](double value, double most) {
            return std::clamp(value, -std::max(most, 0.0), std::max(most, 0.0));
        };
        const QPointF wanted = pan_at_press_ + moved;
        pan_ = {limit(wanted.x(), spare.x()), limit(wanted.y(), spare.y())};
        update();
    } else if (drag_url_.isValid() && moved.manhattanLength() >= QApplication::startDragDistance()) {
        startDrag();
    }
}

void FramePlayer::mouseDoubleClickEvent(QMouseEvent*) {
    if (kind() != Kind::none) Q_EMIT theatreRequested();
}

void FramePlayer::startDrag() {
    auto* mime = new QMimeData;
    mime->setUrls({drag_url_});
    auto* drag = new QDrag(this);
    drag->setMimeData(mime);
    drag->setPixmap(QPixmap::fromImage(currentImage().scaled(160, 160, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
    drag->exec(Qt::CopyAction);
}

// ---- painting

QSizeF FramePlayer::shownSize(const QImage& image) const {
    const QSizeF room = size();
    const QSizeF own = final_size_.isEmpty() ? QSizeF(image.size()) : QSizeF(final_size_);
    switch (zoom_) {
        case Zoom::fit:
            return own.scaled(room, Qt::KeepAspectRatio) * magnification_;
        case Zoom::full:
            return own * magnification_;
        case Zoom::pixels:
            break;
    }
    const double factor = std::floor(std::min(room.width() / image.width(), room.height() / image.height()));
    return QSizeF(image.size()) * std::max(factor, 1.0) * magnification_;
}

QRectF FramePlayer::targetOf(const QImage& image) const {
    const QSizeF shown = shownSize(image);
    const QPointF corner((width() - shown.width()) / 2 + pan_.x(), (height() - shown.height()) / 2 + pan_.y());
    return {QPointF(std::round(corner.x()), std::round(corner.y())), shown};
}

void FramePlayer::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    const QImage image = currentImage();
    if (image.isNull()) {
        paintEmpty(painter);
    } else {
        QPainterPath frame;
        frame.addRoundedRect(QRectF(rect()), 8, 8);
        painter.fillPath(frame, theme().color(ColorRole::well));
        painter.save();
        painter.setClipPath(frame);
        paintPicture(painter, image);
        painter.restore();
        paintBadge(painter);
    }
    paintFocus(painter, QRectF(rect()), 8);
}

void FramePlayer::paintPicture(QPainter& painter, const QImage& image) {
    const QRectF target = targetOf(image);
    const QSize pixels = (target.size() * devicePixelRatioF()).toSize();
    const bool shrinks = pixels.width() < image.width();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, zoom_ != Zoom::pixels);
    if (!shrinks || zoom_ == Zoom::pixels) {
        painter.drawImage(target, image);
        return;
    }
    // The painter samples too sparsely when it shrinks: scale well once, and keep it for the next repaint.
    if (scaled_key_ != image.cacheKey()) {
        scaled_ = image.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        scaled_key_ = image.cacheKey();
    }
    painter.drawImage(target, scaled_);
}

void FramePlayer::paintBadge(QPainter& painter) const {
    if (badge_.isEmpty()) return;
    QFont font = theme().font(Type::caption);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const double high = std::max(24.0, metrics.height() + 8);
    const QRectF seen = targetOf(currentImage()).intersected(QRectF(rect()));
    const QRectF pill(seen.left() + 12, seen.bottom() - high - 12, metrics.horizontalAdvance(badge_) + 32, high);
    // Pictures may be bright or dark: the badge carries its own ground and is the same in every theme.
    QColor ground = darkTokens().color(ColorRole::well);
    ground.setAlphaF(0.82F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(pill, high / 2, high / 2);
    painter.setPen(darkTokens().color(ColorRole::text));
    painter.drawText(pill, Qt::AlignCenter, badge_);
}

void FramePlayer::paintEmpty(QPainter& painter) const {
    const QFont title = theme().font(Type::title);
    const QFontMetricsF title_metrics(title);
    const QFontMetricsF text_metrics(theme().font(Type::body));
    const double high = 88 + 24 + title_metrics.height() + 8 + text_metrics.height();
    const QPointF middle(width() / 2.0, std::max(52.0, (height() - high) / 2 + 44));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().tint(ColorRole::accent, 0.16));
    painter.drawEllipse(middle, 44, 44);
    paintIcon(painter, empty_icon_, theme().color(ColorRole::accent), QRectF(middle.x() - 18, middle.y() - 18, 36, 36));
    painter.setFont(title);
    painter.setPen(theme().color(ColorRole::text));
    QRectF line(16, middle.y() + 44 + 24, width() - 32, title_metrics.height());
    painter.drawText(line, Qt::AlignCenter, empty_title_);
    painter.setFont(theme().font(Type::body));
    painter.setPen(theme().color(ColorRole::text2));
    line = QRectF(16, line.bottom() + 8, width() - 32, height() - line.bottom() - 8);
    painter.drawText(line, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, empty_text_);
}

}  // namespace kinescope::ui
