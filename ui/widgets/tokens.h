#pragma once

#include <QColor>
#include <QString>
#include <array>

namespace kinescope::ui {

/// What a colour is for. Every painted widget and the style sheet name colours only in this way.
enum class ColorRole {
    window,  ///< behind everything
    island,  ///< rounded surfaces
    raised,  ///< fields, cards, plain buttons
    hover,   ///< under the pointer; tracks of bars
    well,    ///< behind pictures; dark in every theme
    line,    ///< hairlines
    edge,    ///< outlines that carry meaning
    text,
    text2,
    text3,
    accent,  ///< focus, selection, progress, links
    fill,    ///< the primary button
    onFill,  ///< text on it
    ok,
    warn,
    error,
    info,
};
inline constexpr int kColorRoles = 17;

/// The name of a role in the style sheet: "on_fill" for onFill.
QString tokenName(ColorRole role);

/// One palette. Text roles reach 4.5 : 1 on window, island and raised; tests compute it.
struct Tokens {
    QString name;  ///< "dark", "light", "high_contrast": also the folder of its images
    std::array<QColor, kColorRoles> colors;
    std::array<QColor, 5> series;  ///< lines of plots, apart in protan, deutan and tritan simulation
    std::array<QColor, 7> heat;    ///< headroom ramp from plenty to none, monotonous in lightness
    QColor outline;                ///< of islands and fields; transparent where the surface alone separates
    QColor segment;                ///< the chosen part of a button group
    int border_px = 1;

    const QColor& color(ColorRole role) const { return colors[static_cast<std::size_t>(role)]; }
};

const Tokens& darkTokens();
const Tokens& lightTokens();
const Tokens& highContrastTokens();

/// Contrast ratio of WCAG 2: 1 (equal) to 21 (black on white).
double contrastRatio(const QColor& a, const QColor& b);

/// `over` with opacity 0..1 laid on `under`.
QColor blend(const QColor& over, const QColor& under, double opacity);

}  // namespace kinescope::ui
