#pragma once

#include <QAccessible>
#include <QWidget>

#include "ui/widgets/theme.h"

namespace kinescope::ui {

/// Base of the widgets that draw themselves: repaints when the theme changes and speaks to assistive programs.
class PaintedWidget : public QWidget {
    Q_OBJECT

public:
    PaintedWidget(const Theme& theme, QAccessible::Role role, QWidget* parent);

    QAccessible::Role accessibleRole() const { return role_; }
    /// What the picture says, in words: "Headroom, step 23: 7.7 stops".
    QString valueText() const { return value_text_; }

protected:
    void setValueText(const QString& text);
    const Theme& theme() const { return theme_; }
    /// Antialiasing on, font set: the state in which every painter here begins.
    void begin(QPainter& painter) const;
    /// A ring of 2 px in the accent colour, when this widget has the focus of the keyboard.
    void paintFocus(QPainter& painter, const QRectF& around, double radius) const;

private:
    const Theme& theme_;
    QAccessible::Role role_;
    QString value_text_;
};

/// Makes accessible interfaces for PaintedWidget known to Qt. Theme::install calls it.
void installPaintedAccessibility();

}  // namespace kinescope::ui
