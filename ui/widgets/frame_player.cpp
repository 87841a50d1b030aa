#include "ui/widgets/frame_player.h"

#include <QApplication>
#include <QDrag>
#include <QKeyEvent>
#include <QLocale>
#include <QMimeData>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>

#include "ui/widgets/language.h"
#include "ui/widgets/player_marks.h"

namespace kinescope::ui {

FramePlayer::FramePlayer(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::Graphic, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    inEveryLanguage(this, [this] { retranslate(); });
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &FramePlayer::tick);
}

void FramePlayer::retranslate() {
    setAccessibleName(tr("Preview"));
    if (still_.isNull() && !head_.isPlaying()) setValueText(frameText());
}

FramePlayer::Kind FramePlayer::kind() const {
    if (clip_.numFinal() > 0) return Kind::final;
    return clip_.hasPreview() ? Kind::latent : Kind::none;
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
    clip_.setPreview(pictures, frames_each);
    const int total = std::max(num_frames, 1);
    head_.setRange(total, total);
    if (first) head_.play();
    changed(!first && head_.isPlaying());
}

void FramePlayer::appendFrames(int first, const QList<QImage>& frames, int num_frames) {
    if (first < 0 || frames.isEmpty()) return;
    const bool was_playing = head_.isPlaying();
    const bool fresh = kind() == Kind::none;
    const int total = clip_.append(first, frames, num_frames);
    head_.setRange(total, clip_.hasPreview() ? total : clip_.numFinal());
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
    clearStill();
    clip_.clear();
    head_.setRange(0, 0);
    changed(was_playing);
}

void FramePlayer::changed(bool was_playing) {
    view_.forgetScaled();
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
    view_.setFinalSize(size);
    update();
}

void FramePlayer::setZoom(Zoom zoom) {
    view_.setZoom(zoom);
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
    if (still_.isNull() && head_.numFrames() == 0) setValueText(frameText());
    update();
}

void FramePlayer::showStill(const QImage& picture, const QString& badge) {
    still_ = picture.convertToFormat(QImage::Format_RGB32);
    still_badge_ = badge;
    view_.forgetScaled();
    setValueText(badge);
    update();
}

void FramePlayer::clearStill() {
    if (still_.isNull()) return;
    still_ = {};
    view_.forgetScaled();
    setValueText(frameText());
    update();
}

/// Clears the still for the user. Returns false if there is none.
bool FramePlayer::leaveStill() {
    if (still_.isNull()) return false;
    clearStill();
    Q_EMIT stillLeft();
    return true;
}

QImage FramePlayer::currentImage() const {
    return clip_.at(head_.frame(), head_.numFrames());
}

QImage FramePlayer::shownImage() const {
    return still_.isNull() ? currentImage() : still_;
}

// ---- Playback ----

void FramePlayer::play() {
    clearStill();
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
    const bool returned = leaveStill();
    head_.isPlaying() && !returned ? pause() : play();
}

void FramePlayer::setLooping(bool looping) {
    if (looping == head_.isLooping()) return;
    head_.setLooping(looping);
    Q_EMIT loopingChanged(looping);
}

void FramePlayer::seek(int frame) {
    leaveStill();
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
    // Announce frames only while paused: during playback, a screen reader would not stop talking.
    if (still_.isNull() && !head_.isPlaying()) setValueText(frameText());
    update();
    Q_EMIT frameShown(head_.frame());
}

QString FramePlayer::frameText() const {
    if (head_.numFrames() == 0) return empty_title_;
    return tr("Frame %1 of %2").arg(QLocale().toString(head_.frame() + 1), QLocale().toString(head_.numFrames()));
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
    view_.forgetScaled();
}

// ---- Mouse and keyboard input ----

void FramePlayer::keyPressEvent(QKeyEvent* event) {
    if (!handleKey(event->key(), event->modifiers())) PaintedWidget::keyPressEvent(event);
}

bool FramePlayer::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    // Ctrl and Alt belong to menu shortcuts.
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
            leaveStill();
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
        view_.magnify(turn / 120.0);
        update();
    } else {
        step(turn > 0 ? -1 : 1);
    }
    event->accept();
}

void FramePlayer::mousePressEvent(QMouseEvent* event) {
    press_ = event->position();
    view_.beginMove();
}

void FramePlayer::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton) || kind() == Kind::none) return;
    const QPointF moved = event->position() - press_;
    if (view_.move(moved, shownImage(), size())) {
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
    drag->setPixmap(QPixmap::fromImage(shownImage().scaled(160, 160, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
    drag->exec(Qt::CopyAction);
}

// ---- Painting ----

void FramePlayer::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    const QImage image = shownImage();
    if (image.isNull()) {
        paintEmptyState(painter, theme(), size(), {empty_icon_, empty_title_, empty_text_});
    } else {
        QPainterPath frame;
        frame.addRoundedRect(QRectF(rect()), 8, 8);
        painter.fillPath(frame, theme().color(ColorRole::well));
        painter.save();
        painter.setClipPath(frame);
        view_.paint(painter, image, size(), devicePixelRatioF());
        painter.restore();
        const QRectF seen = view_.targetOf(image, size()).intersected(QRectF(rect()));
        paintBadge(painter, theme(), seen, still_.isNull() ? badge_ : still_badge_);
    }
    paintFocus(painter, QRectF(rect()), 8);
}

}  // namespace kinescope::ui
