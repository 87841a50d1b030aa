#include "ui/widgets/clip_view.h"

#include <QPainter>

namespace kinescope::ui {

namespace {

constexpr double kRadius = 8;
constexpr int kPadding = 12;

}  // namespace

ClipView::ClipView(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::Graphic, parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ClipView::setClip(const QList<QImage>& frames) {
    frames_ = frames;
    setFrame(frame_);
}

void ClipView::setMessage(const QString& text, ColorRole role) {
    message_ = text;
    message_role_ = role;
    if (frames_.isEmpty()) setValueText(text);
    update();
}

void ClipView::setFrame(int frame) {
    frame_ = frames_.isEmpty() ? 0 : frame % numFrames();
    update();
}

void ClipView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(ColorRole::well));
    painter.drawRoundedRect(rect(), kRadius, kRadius);
    if (frames_.isEmpty()) {
        const bool dark = message_role_ == ColorRole::text2;
        painter.setPen(dark ? darkTokens().color(ColorRole::text2) : darkTokens().color(message_role_));
        painter.drawText(rect().adjusted(kPadding, kPadding, -kPadding, -kPadding), Qt::AlignCenter | Qt::TextWordWrap,
                         message_);
        return;
    }
    const QImage& picture = frames_[frame_];
    QRectF target(QPointF(), QSizeF(picture.size()).scaled(size(), Qt::KeepAspectRatio));
    target.moveCenter(QRectF(rect()).center());
    painter.drawImage(target, picture);
}

}  // namespace kinescope::ui
