#include "ui/widgets/mask_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cstring>
#include <utility>

namespace kinescope::ui {
namespace {

constexpr qsizetype kMostUndoBytes = 128 << 20;
constexpr double kBrushStep = 1.25;  ///< factor of a wheel step or a key
constexpr double kVeil = 0.55;       ///< opacity of painted parts

MaskTool otherThan(MaskTool tool) {
    return tool == MaskTool::paint ? MaskTool::erase : MaskTool::paint;
}

QImage emptyMask(const QSize& size) {
    QImage mask(size, QImage::Format_Grayscale8);
    mask.fill(Qt::black);
    return mask;
}

/// Makes each pixel black or white.
void splitAtHalf(QImage& mask) {
    for (int y = 0; y < mask.height(); ++y) {
        uchar* line = mask.scanLine(y);
        std::transform(line, line + mask.width(), line, [](uchar gray) { return gray >= 0x80 ? 0xFF : 0; });
    }
}

}  // namespace

void paintStroke(QImage& mask, const QPointF& from, const QPointF& to, double radius, MaskTool tool) {
    QPainter painter(&mask);  // without antialiasing: the engine reads parts as painted or not
    const QColor color = tool == MaskTool::paint ? Qt::white : Qt::black;
    if (from == to) {  // a line without length is not painted
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(from, radius, radius);
        return;
    }
    painter.setPen(QPen(color, 2 * radius, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawLine(from, to);
}

bool isEmptyMask(const QImage& mask) {
    for (int y = 0; y < mask.height(); ++y)
        if (std::memchr(mask.constScanLine(y), 0xFF, static_cast<std::size_t>(mask.width())) != nullptr) return false;
    return true;
}

MaskCanvas::MaskCanvas(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::Canvas, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::themeChanged, this, [this] { overlay_ = {}; });
}

void MaskCanvas::setPicture(const QImage& picture) {
    picture_ = picture;
    if (mask_.isNull() && !picture.isNull()) {
        mask_ = emptyMask(picture.size());
        at_ = QRectF(picture.rect()).center();
        setBrushSize(std::max(kSmallestBrush, picture.height() / 8));
    }
    update();
}

void MaskCanvas::setMask(const QImage& mask) {
    if (mask_.isNull() || mask.isNull()) return;
    mask_ = mask.convertToFormat(QImage::Format_Grayscale8).scaled(mask_.size());
    splitAtHalf(mask_);
    overlay_ = {};
    update();
    Q_EMIT maskChanged();
}

void MaskCanvas::setTool(MaskTool tool) {
    if (tool == tool_) return;
    tool_ = tool;
    update();
    Q_EMIT toolChanged();
}

void MaskCanvas::setBrushSize(int size) {
    const int bounded = std::clamp(size, kSmallestBrush, kLargestBrush);
    if (bounded == brush_) return;
    brush_ = bounded;
    update();
    Q_EMIT brushSizeChanged(brush_);
}

/// Keeps the mask for undo(). The oldest steps are dropped when they take too much memory.
void MaskCanvas::beginChange() {
    done_ << mask_;
    undone_.clear();
    while (done_.size() > 1 && done_.size() * mask_.sizeInBytes() > kMostUndoBytes) done_.removeFirst();
}

void MaskCanvas::finishChange() {
    overlay_ = {};
    update();
    Q_EMIT maskChanged();
}

void MaskCanvas::clear() {
    if (isEmptyMask(mask_)) return;
    beginChange();
    mask_.fill(Qt::black);
    finishChange();
}

void MaskCanvas::invert() {
    if (mask_.isNull()) return;
    beginChange();
    mask_.invertPixels();
    finishChange();
}

void MaskCanvas::undo() {
    if (!canUndo()) return;
    undone_ << std::exchange(mask_, done_.takeLast());
    finishChange();
}

void MaskCanvas::redo() {
    if (!canRedo()) return;
    done_ << std::exchange(mask_, undone_.takeLast());
    finishChange();
}

QRectF MaskCanvas::target() const {
    QRectF shown({0, 0}, QSizeF(picture_.size()).scaled(QSizeF(size()) - QSizeF(8, 8), Qt::KeepAspectRatio));
    shown.moveCenter(QRectF(rect()).center());
    return shown;
}

QPointF MaskCanvas::toPicture(const QPointF& point) const {
    const QRectF shown = target();
    return {(point.x() - shown.left()) * picture_.width() / shown.width(),
            (point.y() - shown.top()) * picture_.height() / shown.height()};
}

void MaskCanvas::stroke(const QPointF& from, const QPointF& to, MaskTool tool) {
    paintStroke(mask_, from, to, brush_ / 2.0, tool);
    at_ = to;
    finishChange();
}

void MaskCanvas::mousePressEvent(QMouseEvent* event) {
    const bool isRight = event->button() == Qt::RightButton;
    if (mask_.isNull() || (event->button() != Qt::LeftButton && !isRight)) return;
    isPainting_ = true;
    strokeTool_ = isRight ? otherThan(tool_) : tool_;
    beginChange();
    stroke(toPicture(event->position()), toPicture(event->position()), strokeTool_);
}

void MaskCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (mask_.isNull()) return;
    const QPointF to = toPicture(event->position());
    isShown_ = true;
    if (isPainting_) return stroke(at_, to, strokeTool_);
    at_ = to;
    update();
}

void MaskCanvas::mouseReleaseEvent(QMouseEvent*) {
    isPainting_ = false;
    Q_EMIT maskChanged();  // undo() is possible again
}

void MaskCanvas::leaveEvent(QEvent*) {
    isShown_ = false;
    update();
}

void MaskCanvas::wheelEvent(QWheelEvent* event) {
    turn_ += event->angleDelta().y();
    for (; turn_ >= QWheelEvent::DefaultDeltasPerStep; turn_ -= QWheelEvent::DefaultDeltasPerStep)
        setBrushSize(qRound(brush_ * kBrushStep + 1));
    for (; turn_ <= -QWheelEvent::DefaultDeltasPerStep; turn_ += QWheelEvent::DefaultDeltasPerStep)
        setBrushSize(qRound(brush_ / kBrushStep));
}

/// Takes keys that are shortcuts of the window behind the dialog.
bool MaskCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        auto* press = static_cast<QKeyEvent*>(event);
        if (press->matches(QKeySequence::Undo) || press->matches(QKeySequence::Redo)) event->accept();
    }
    return PaintedWidget::event(event);
}

void MaskCanvas::moveBrush(const QPoint& by, Qt::KeyboardModifiers modifiers) {
    const double step = std::max(1.0, brush_ / 4.0);
    const QPointF to(std::clamp(at_.x() + by.x() * step, 0.0, static_cast<double>(picture_.width())),
                     std::clamp(at_.y() + by.y() * step, 0.0, static_cast<double>(picture_.height())));
    isShown_ = true;
    if (modifiers & Qt::ShiftModifier) {
        beginChange();
        return stroke(at_, to, tool_);
    }
    at_ = to;
    update();
}

bool MaskCanvas::handleKey(int key) {
    switch (key) {
        case Qt::Key_Space:
            beginChange();
            stroke(at_, at_, tool_);
            return true;
        case Qt::Key_BracketLeft:
            setBrushSize(qRound(brush_ / kBrushStep));
            return true;
        case Qt::Key_BracketRight:
            setBrushSize(qRound(brush_ * kBrushStep + 1));
            return true;
        case Qt::Key_X:
            setTool(otherThan(tool_));
            return true;
        case Qt::Key_I:
            invert();
            return true;
        case Qt::Key_Delete:
            clear();
            return true;
        default:
            return false;
    }
}

void MaskCanvas::keyPressEvent(QKeyEvent* event) {
    if (mask_.isNull()) return PaintedWidget::keyPressEvent(event);
    if (event->matches(QKeySequence::Undo)) return undo();
    if (event->matches(QKeySequence::Redo)) return redo();
    const auto modifiers = event->modifiers();
    switch (event->key()) {
        case Qt::Key_Left:
            return moveBrush({-1, 0}, modifiers);
        case Qt::Key_Right:
            return moveBrush({1, 0}, modifiers);
        case Qt::Key_Up:
            return moveBrush({0, -1}, modifiers);
        case Qt::Key_Down:
            return moveBrush({0, 1}, modifiers);
        default:
            break;
    }
    const bool isPlain = (modifiers & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
    if (!isPlain || !handleKey(event->key())) PaintedWidget::keyPressEvent(event);
}

void MaskCanvas::updateOverlay() {
    if (!overlay_.isNull() || mask_.isNull()) return;
    overlay_ = QImage(mask_.size(), QImage::Format_ARGB32_Premultiplied);
    overlay_.fill(theme().color(ColorRole::accent));
    overlay_.setAlphaChannel(mask_);
}

void MaskCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(ColorRole::well));
    painter.drawRoundedRect(rect(), 8, 8);
    if (!picture_.isNull()) {
        updateOverlay();
        const QRectF shown = target();
        painter.drawImage(shown, picture_);
        painter.setOpacity(kVeil);
        painter.drawImage(shown, overlay_);
        painter.setOpacity(1);
        if (isShown_ || hasFocus()) {
            const double scale = shown.width() / picture_.width();
            const QPointF center(shown.left() + at_.x() * scale, shown.top() + at_.y() * scale);
            const double radius = brush_ / 2.0 * scale;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(Qt::black, 3));  // two rings are visible on every picture
            painter.drawEllipse(center, radius, radius);
            painter.setPen(QPen(Qt::white, 1, tool_ == MaskTool::paint ? Qt::SolidLine : Qt::DashLine));
            painter.drawEllipse(center, radius, radius);
        }
    }
    paintFocus(painter, rect(), 8);
}

}  // namespace kinescope::ui
