#pragma once

#include <QAccessible>
#include <QWidget>

#include "ui/widgets/theme.h"

namespace kinescope::ui {

/// Base class of custom-painted widgets: repaints on theme changes and implements accessibility.
class PaintedWidget : public QWidget {
    Q_OBJECT

public:
    PaintedWidget(const Theme& theme, QAccessible::Role role, QWidget* parent);

    QAccessible::Role accessibleRole() const { return role_; }
    /// Returns the accessible value, e.g. "Headroom, step 23: 7.7 stops".
    QString valueText() const { return value_text_; }

protected:
    void setValueText(const QString& text);
    const Theme& theme() const { return theme_; }
    /// Prepares `painter`: enables antialiasing and sets the body font.
    void begin(QPainter& painter) const;
    /// Paints a 2 px focus ring in the accent color if this widget has keyboard focus.
    void paintFocus(QPainter& painter, const QRectF& around, double radius) const;

private:
    const Theme& theme_;
    QAccessible::Role role_;
    QString value_text_;
};

/// Registers the accessibility factory for PaintedWidget. Theme::install calls it.
void installPaintedAccessibility();

}  // namespace kinescope::ui
