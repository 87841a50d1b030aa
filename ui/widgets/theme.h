#pragma once

#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <algorithm>

#include "ui/widgets/system_scheme.h"
#include "ui/widgets/tokens.h"

namespace kinescope::ui {

/// The text sizes, relative to the system font.
enum class Type { caption, body, strong, subtitle, title, display };

/// Provides colors, fonts and icons. The application owns one instance, which outlives all widgets.
class Theme : public QObject {
    Q_OBJECT

public:
    enum class Mode { system, dark, light, highContrast };

    explicit Theme(QObject* parent = nullptr);

    Mode mode() const { return mode_; }
    void setMode(Mode mode);

    int textScalePercent() const { return text_scale_percent_; }
    /// Sets the size of the text, which is clamped to 80..200 %.
    void setTextScalePercent(int percent);
    /// Scales a length in px with the text. Text below 100 % does not make it smaller.
    int scaledToText(int px) const { return px * std::max(text_scale_percent_, 100) / 100; }

    /// Applies style, palette, style sheet and font to the application now and whenever the theme changes.
    void install();

    const Tokens& tokens() const { return *tokens_; }
    QColor color(ColorRole role) const { return tokens_->color(role); }
    /// Returns the color of `role` with `opacity` 0..1 on `under`, for the background of chips and the traffic light.
    QColor tint(ColorRole role, double opacity, ColorRole under = ColorRole::surface) const;
    QColor series(int index) const;
    /// Returns a color of the headroom ramp. `unit` is from 0 (high headroom) to 1 (none).
    QColor heat(double unit) const;

    /// Returns an icon that follows theme changes. `checked` is its color in a checked button.
    QIcon icon(const QString& name, ColorRole role = ColorRole::text2) const { return icon(name, role, role); }
    QIcon icon(const QString& name, ColorRole role, ColorRole checked) const;
    QFont font(Type type) const;

    QPalette palette() const;
    QString styleSheet() const;
    /// Returns the duration of a fade in milliseconds, or 0 if KINESCOPE_NO_ANIMATION=1 is set.
    int animationMs() const;

Q_SIGNALS:
    void themeChanged();

private:
    void choose();
    const Tokens& tokensOfMode() const;

    SystemScheme system_;
    QFont base_font_;
    Mode mode_ = Mode::system;
    int text_scale_percent_ = 100;
    const Tokens* tokens_ = nullptr;
    bool installed_ = false;
};

}  // namespace kinescope::ui
