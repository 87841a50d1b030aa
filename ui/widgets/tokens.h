#pragma once

#include <QColor>
#include <QString>
#include <array>

namespace kinescope::ui {

/// The purpose of a color. Painted widgets and the style sheet refer to colors only by role.
enum class ColorRole {
    window,   ///< behind everything
    surface,  ///< rounded surfaces
    raised,   ///< fields, cards, plain buttons
    hover,    ///< under the pointer; tracks of bars
    well,     ///< behind video frames; dark in every theme
    line,     ///< hairlines
    edge,     ///< outlines of fields and interactive elements
    text,
    text2,
    text3,
    accent,  ///< focus, selection, progress, links
    fill,    ///< the primary button
    onFill,  ///< text on the primary button
    ok,
    warn,
    error,
    info,
};
inline constexpr int kColorRoles = 17;

/// Returns the name of a role in the style sheet: "on_fill" for onFill.
QString tokenName(ColorRole role);

/// The colors of one theme. Text roles have a contrast of at least 4.5 : 1 on window, surface and raised (tested).
struct Tokens {
    QString name;  ///< "dark", "light" or "high_contrast"; also the name of its image folder
    std::array<QColor, kColorRoles> colors;
    std::array<QColor, 5> series;  ///< plot lines, distinguishable with color blindness (protan, deutan, tritan)
    std::array<QColor, 7> heat;    ///< headroom ramp from high to none, monotonic in lightness
    QColor outline;                ///< border of cards and fields; transparent if the theme has none
    QColor segment;                ///< the checked button of a Segmented
    int border_px = 1;

    const QColor& color(ColorRole role) const { return colors[static_cast<std::size_t>(role)]; }
};

const Tokens& darkTokens();
const Tokens& lightTokens();
const Tokens& highContrastTokens();

/// Returns the WCAG 2 contrast ratio, from 1 (equal colors) to 21 (black on white).
double contrastRatio(const QColor& a, const QColor& b);

/// Returns the result of painting `over` with opacity 0..1 on `under`.
QColor blend(const QColor& over, const QColor& under, double opacity);

}  // namespace kinescope::ui
