#pragma once

#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>

#include "ui/widgets/system_scheme.h"
#include "ui/widgets/tokens.h"

namespace kinescope::ui {

/// The type scale, relative to the system's font.
enum class Type { caption, body, strong, subtitle, title, display };

/// The one source of colours, fonts and icons. The application owns one and hands it to every widget; it outlives them.
class Theme : public QObject {
    Q_OBJECT

public:
    enum class Mode { system, dark, light, highContrast };

    explicit Theme(QObject* parent = nullptr);

    Mode mode() const { return mode_; }
    void setMode(Mode mode);

    /// 80 to 200; values outside are brought inside.
    int textScalePercent() const { return text_scale_percent_; }
    void setTextScalePercent(int percent);

    /// Puts style, palette, style sheet and font on the application, and again at each change.
    void install();

    const Tokens& tokens() const { return *tokens_; }
    QColor color(ColorRole role) const { return tokens_->color(role); }
    /// A state's colour laid thinly on `under`, as behind chips and the traffic light.
    QColor tint(ColorRole role, double opacity, ColorRole under = ColorRole::island) const;
    QColor series(int index) const;
    /// 0: plenty of headroom; 1: none.
    QColor heat(double unit) const;

    /// An icon that follows the theme by itself; `checked` is its colour in a checked button.
    QIcon icon(const QString& name, ColorRole role = ColorRole::text2) const { return icon(name, role, role); }
    QIcon icon(const QString& name, ColorRole role, ColorRole checked) const;
    QFont font(Type type) const;

    QPalette palette() const;
    QString styleSheet() const;
    /// Length of a fade in milliseconds; 0 with KINESCOPE_NO_ANIMATION=1.
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
