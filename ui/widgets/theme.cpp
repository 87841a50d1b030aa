#include "ui/widgets/theme.h"

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QPainter>
#include <QRegularExpression>
#include <QStyleFactory>
#include <algorithm>
#include <cmath>

#include "ui/widgets/icon_engine.h"
#include "ui/widgets/painted_widget.h"

// Registers the icons and the style sheet. Q_INIT_RESOURCE must be used outside of all namespaces.
static void initResources() {
    Q_INIT_RESOURCE(kinescope);
}

namespace kinescope::ui {

namespace {

double factorOf(Type type) {
    switch (type) {
        case Type::caption:
            return 0.92;
        case Type::subtitle:
            return 1.15;
        case Type::title:
            return 1.54;
        case Type::display:
            return 2.15;
        case Type::body:
        case Type::strong:
            break;
    }
    return 1.0;
}

QFont scaled(QFont font, double factor) {
    if (font.pixelSize() > 0) {
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * factor))));
    } else {
        font.setPointSizeF(font.pointSizeF() * factor);
    }
    return font;
}

QString cssSize(const QFont& font) {
    return font.pixelSize() > 0 ? QStringLiteral("%1px").arg(font.pixelSize())
                                : QStringLiteral("%1pt").arg(font.pointSizeF(), 0, 'f', 2);
}

QString cssColor(const QColor& color) {
    return color.alpha() == 255 ? color.name() : QStringLiteral("transparent");
}

QHash<QString, QString> styleVariables(const Theme& theme) {
    const Tokens& tokens = theme.tokens();
    QHash<QString, QString> values;
    for (int i = 0; i < kColorRoles; ++i) {
        const auto role = static_cast<ColorRole>(i);
        values[tokenName(role)] = cssColor(tokens.color(role));
    }
    values["outline"] = cssColor(tokens.outline);
    values["segment"] = cssColor(tokens.segment);
    values["fill_hover"] = cssColor(blend(tokens.color(ColorRole::onFill), tokens.color(ColorRole::fill), 0.08));
    values["border_width"] = QStringLiteral("%1px").arg(tokens.border_px);
    const bool thick = tokens.border_px > 1;
    values["field_padding"] = thick ? QStringLiteral("0 10px") : QStringLiteral("1px 11px");
    values["button_padding"] = thick ? QStringLiteral("0 14px") : QStringLiteral("1px 15px");
    values["theme"] = tokens.name;
    values["caption"] = cssSize(theme.font(Type::caption));
    values["subtitle"] = cssSize(theme.font(Type::subtitle));
    values["title"] = cssSize(theme.font(Type::title));
    values["display"] = cssSize(theme.font(Type::display));
    return values;
}

}  // namespace

Theme::Theme(QObject* parent) : QObject(parent), base_font_(QApplication::font()) {
    initResources();
    choose();
    connect(&system_, &SystemScheme::changed, this, &Theme::choose);
}

const Tokens& Theme::tokensOfMode() const {
    switch (mode_) {
        case Mode::dark:
            return darkTokens();
        case Mode::light:
            return lightTokens();
        case Mode::highContrast:
            return highContrastTokens();
        case Mode::system:
            break;
    }
    if (system_.wantsHighContrast()) return highContrastTokens();
    return system_.scheme() == Scheme::dark ? darkTokens() : lightTokens();
}

void Theme::choose() {
    const Tokens* chosen = &tokensOfMode();
    if (chosen == tokens_) return;
    tokens_ = chosen;
    if (installed_) install();
    Q_EMIT themeChanged();
}

void Theme::setMode(Mode mode) {
    mode_ = mode;
    choose();
}

void Theme::setTextScalePercent(int percent) {
    percent = std::clamp(percent, 80, 200);
    if (percent == text_scale_percent_) return;
    text_scale_percent_ = percent;
    if (installed_) install();
    Q_EMIT themeChanged();
}

void Theme::install() {
    if (!installed_) {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        installPaintedAccessibility();
    }
    installed_ = true;
    QApplication::setFont(font(Type::body));
    QApplication::setPalette(palette());
    qApp->setStyleSheet(styleSheet());
}

QColor Theme::tint(ColorRole role, double opacity, ColorRole under) const {
    return blend(color(role), color(under), opacity);
}

QColor Theme::series(int index) const {
    return tokens_->series[static_cast<std::size_t>(index) % tokens_->series.size()];
}

QColor Theme::heat(double unit) const {
    const auto& ramp = tokens_->heat;
    const double place = std::clamp(unit, 0.0, 1.0) * (ramp.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
    return blend(ramp[low + 1], ramp[low], place - static_cast<double>(low));
}

QIcon Theme::icon(const QString& name, ColorRole role, ColorRole checked) const {
    return QIcon(new IconEngine(this, name, role, checked));
}

QFont Theme::font(Type type) const {
    QFont font = scaled(base_font_, factorOf(type) * text_scale_percent_ / 100.0);
    if (type != Type::caption && type != Type::body) font.setWeight(QFont::DemiBold);
    return font;
}

QPalette Theme::palette() const {
    QPalette palette;
    const auto set = [&](QPalette::ColorRole where, ColorRole role) { palette.setColor(where, color(role)); };
    set(QPalette::Window, ColorRole::window);
    set(QPalette::WindowText, ColorRole::text);
    set(QPalette::Base, ColorRole::raised);
    set(QPalette::AlternateBase, ColorRole::surface);
    set(QPalette::Text, ColorRole::text);
    set(QPalette::Button, ColorRole::raised);
    set(QPalette::ButtonText, ColorRole::text);
    set(QPalette::BrightText, ColorRole::onFill);
    set(QPalette::Highlight, ColorRole::fill);
    set(QPalette::HighlightedText, ColorRole::onFill);
    set(QPalette::Link, ColorRole::accent);
    set(QPalette::LinkVisited, ColorRole::accent);
    set(QPalette::PlaceholderText, ColorRole::text3);
    set(QPalette::ToolTipBase, ColorRole::hover);
    set(QPalette::ToolTipText, ColorRole::text);
    set(QPalette::Mid, ColorRole::line);
    for (const auto where : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, where, color(ColorRole::text3));
    }
    return palette;
}

QString Theme::styleSheet() const {
    QFile file(QStringLiteral(":/themes/style.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QString sheet = QString::fromUtf8(file.readAll());
    const QHash<QString, QString> values = styleVariables(*this);
    static const QRegularExpression name(QStringLiteral("@([a-z0-9_]+)"));
    QString out;
    qsizetype from = 0;
    for (auto match = name.globalMatch(sheet); match.hasNext();) {
        const auto found = match.next();
        out += sheet.mid(from, found.capturedStart() - from);
        out += values.value(found.captured(1), found.captured(0));
        from = found.capturedEnd();
    }
    return out + sheet.mid(from);
}

int Theme::animationMs() const {
    return qEnvironmentVariableIntValue("KINESCOPE_NO_ANIMATION") == 1 ? 0 : 120;
}

}  // namespace kinescope::ui
