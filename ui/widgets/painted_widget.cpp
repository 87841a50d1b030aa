#include "ui/widgets/painted_widget.h"

#include <QAccessibleWidget>
#include <QPainter>

namespace kinescope::ui {

namespace {

class AccessiblePainted : public QAccessibleWidget {
public:
    explicit AccessiblePainted(PaintedWidget* widget) : QAccessibleWidget(widget, widget->accessibleRole()) {}

    QString text(QAccessible::Text kind) const override {
        const QString own = QAccessibleWidget::text(kind);
        if (kind != QAccessible::Value && !(kind == QAccessible::Description && own.isEmpty())) return own;
        return static_cast<PaintedWidget*>(widget())->valueText();
    }
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* painted = qobject_cast<PaintedWidget*>(object);
    return painted != nullptr ? new AccessiblePainted(painted) : nullptr;
}

}  // namespace

PaintedWidget::PaintedWidget(const Theme& theme, QAccessible::Role role, QWidget* parent)
    : QWidget(parent), theme_(theme), role_(role) {
    connect(&theme_, &Theme::themeChanged, this, [this] {
        updateGeometry();
        update();
    });
}

void PaintedWidget::setValueText(const QString& text) {
    if (text == value_text_) return;
    value_text_ = text;
    QAccessibleValueChangeEvent event(this, text);
    QAccessible::updateAccessibility(&event);
}

void PaintedWidget::begin(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setFont(theme_.font(Type::body));
}

void PaintedWidget::paintFocus(QPainter& painter, const QRectF& around, double radius) const {
    if (!hasFocus()) return;
    painter.setPen(QPen(theme_.color(ColorRole::accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(around.adjusted(1, 1, -1, -1), radius, radius);
}

void installPaintedAccessibility() {
    QAccessible::installFactory(makeInterface);
}

}  // namespace kinescope::ui
