#include "ui/widgets/traffic_light.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/icons.h"
#include "ui/widgets/language.h"

namespace kinescope::ui {
namespace {

constexpr int kCardSides = 72;  ///< px to the left and right of a card's text: icon and margins
constexpr int kCardEnds = 22;   ///< px of a card above and below its text

}  // namespace

using State = TrafficLight::State;

QString iconOf(State state) {
    switch (state) {
        case State::waiting:
            return QStringLiteral("info");
        case State::healthy:
            return QStringLiteral("okc");
        case State::healed:
            return QStringLiteral("shield");
        case State::close:
            return QStringLiteral("warnt");
        case State::repairing:
            return QStringLiteral("refresh");
        case State::stopped:
            return QStringLiteral("stopo");
    }
    return {};
}

ColorRole colorOf(State state) {
    switch (state) {
        case State::waiting:
            return ColorRole::text3;
        case State::healthy:
        case State::healed:
            return ColorRole::ok;
        case State::close:
        case State::repairing:
            return ColorRole::warn;
        case State::stopped:
            return ColorRole::error;
    }
    return ColorRole::text3;
}

TrafficLight::TrafficLight(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::Indicator, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setState(State::waiting, tr("Statistics appear here during a run"), tr("No measurements yet."));
    inEveryLanguage(this, [this] { setAccessibleName(tr("Traffic light")); });
}

QString TrafficLight::stateName() const {
    switch (state_) {
        case State::waiting:
            return QStringLiteral("waiting");
        case State::healthy:
            return QStringLiteral("healthy");
        case State::healed:
            return QStringLiteral("healed");
        case State::close:
            return QStringLiteral("close");
        case State::repairing:
            return QStringLiteral("repairing");
        case State::stopped:
            return QStringLiteral("stopped");
    }
    return {};
}

void TrafficLight::setState(State state, const QString& line, const QString& detail) {
    const bool changed = state != state_;
    state_ = state;
    line_ = line;
    detail_ = detail;
    setToolTip(detail.isEmpty() ? line : line + QLatin1Char('\n') + detail);
    setValueText(line);
    updateGeometry();
    update();
    if (changed) Q_EMIT stateChanged();
}

void TrafficLight::setLayout(Layout layout) {
    layout_ = layout;
    updateGeometry();
    update();
}

/// Returns the height of a wrapped text in a card of `width` px.
double TrafficLight::wrappedHeight(const QString& text, Type type, double width) const {
    const QRectF room(0, 0, std::max(1.0, width - kCardSides), 1e4);
    return QFontMetricsF(theme().font(type)).boundingRect(room, Qt::TextWordWrap, text).height();
}

double TrafficLight::lineHeight(double width) const {
    return wrappedHeight(line_, Type::strong, width);
}

double TrafficLight::detailHeight(double width) const {
    return detail_.isEmpty() ? 0 : wrappedHeight(detail_, Type::caption, width) + 2;
}

int TrafficLight::heightForWidth(int width) const {
    const int wanted = static_cast<int>(std::ceil(lineHeight(width) + detailHeight(width))) + kCardEnds;
    return std::max(sizeHint().height(), wanted);
}

QSize TrafficLight::sizeHint() const {
    const int body = QFontMetrics(theme().font(Type::strong)).height();
    const int caption = QFontMetrics(theme().font(Type::caption)).height();
    return layout_ == Layout::card ? QSize(420, std::max(64, 2 * body + caption + kCardEnds))
                                   : QSize(420, std::max(24, body + 6));
}

void TrafficLight::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    layout_ == Layout::card ? paintCard(painter) : paintLine(painter);
    paintFocus(painter, QRectF(rect()), 9);
}

void TrafficLight::paintCard(QPainter& painter) const {
    const ColorRole role = colorOf(state_);
    const QRectF all = QRectF(rect());
    const QColor ground = theme().tint(role, 0.12);
    painter.setPen(theme().tokens().border_px > 1 ? QPen(theme().color(role), 2) : QPen(Qt::NoPen));
    painter.setBrush(ground);
    painter.drawRoundedRect(all.adjusted(1, 1, -1, -1), 10, 10);
    painter.setPen(Qt::NoPen);
    painter.setBrush(blend(theme().color(role), ground, 0.18));
    painter.drawEllipse(QPointF(32, all.center().y()), 16, 16);
    paintIcon(painter, iconOf(state_), theme().color(role), QRectF(22, all.center().y() - 10, 20, 20));

    const QFont strong = theme().font(Type::strong);
    const QFont caption = theme().font(Type::caption);
    const double width = all.width() - kCardSides;
    const double detail_height = detailHeight(all.width());
    const double line_height = std::min(lineHeight(all.width()), all.height() - detail_height);
    const double top = (all.height() - line_height - detail_height) / 2;
    painter.setFont(strong);
    painter.setPen(theme().color(ColorRole::text));
    painter.drawText(QRectF(60, top, width, line_height), Qt::AlignLeft | Qt::TextWordWrap, line_);
    painter.setFont(caption);
    painter.setPen(theme().color(ColorRole::text2));
    painter.drawText(QRectF(60, top + line_height + 2, width, detail_height), Qt::AlignLeft | Qt::TextWordWrap,
                     detail_);
}

void TrafficLight::paintLine(QPainter& painter) const {
    const double middle = height() / 2.0;
    paintIcon(painter, iconOf(state_), theme().color(colorOf(state_)), QRectF(4, middle - 9, 18, 18));
    painter.setFont(theme().font(Type::caption));
    painter.setPen(theme().color(ColorRole::text));
    const QFontMetricsF metrics(painter.font());
    const double width = this->width() - 34.0;
    // In the status bar, the detail comes first: "Healed once, at step 17. Values in range: ..."
    const bool detail_first = state_ == State::healed && !detail_.isEmpty();
    const QString words = detail_first ? detail_ + QLatin1Char(' ') + line_ : line_;
    painter.drawText(QRectF(28, 0, width, height()), Qt::AlignVCenter,
                     metrics.elidedText(words, Qt::ElideMiddle, width));
}

void TrafficLight::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) Q_EMIT activated();
}

void TrafficLight::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
        Q_EMIT activated();
    } else {
        PaintedWidget::keyPressEvent(event);
    }
}

}  // namespace kinescope::ui
