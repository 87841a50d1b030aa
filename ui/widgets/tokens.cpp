#include "ui/widgets/tokens.h"

#include <algorithm>
#include <cmath>

namespace kinescope::ui {

QString tokenName(ColorRole role) {
    static const std::array<const char*, kColorRoles> names = {
        "window", "surface", "raised", "hover",   "well", "line", "edge",  "text", "text2",
        "text3",  "accent",  "fill",   "on_fill", "ok",   "warn", "error", "info"};
    return QString::fromLatin1(names[static_cast<std::size_t>(role)]);
}

const Tokens& darkTokens() {
    static const Tokens tokens = {
        .name = "dark",
        .colors = {"#14161B", "#1C1F26", "#272B34", "#323844", "#0D0F12", "#2F343E", "#737D90", "#ECEEF2", "#B4BBC8",
                   "#929BAB", "#9DB0FF", "#4D66DB", "#FFFFFF", "#5CCB9F", "#F0B64E", "#FF8E75", "#7CC4F5"},
        .series = {"#64B5E8", "#F0A830", "#3FC49A", "#E08CBB", "#FF8E75"},
        .heat = {"#1E2740", "#25426B", "#2F6896", "#5E93A8", "#AEB48C", "#E6C564", "#FFE680"},
        .outline = Qt::transparent,
        .segment = "#323844"};
    return tokens;
}

const Tokens& lightTokens() {
    static const Tokens tokens = {
        .name = "light",
        .colors = {"#ECEEF2", "#FFFFFF", "#F1F3F7", "#E4E8EF", "#14161B", "#DDE1E8", "#7B8494", "#191C22", "#474F5E",
                   "#5F6877", "#3A54CC", "#3F5AD2", "#FFFFFF", "#08714D", "#855600", "#B5371A", "#12639F"},
        .series = {"#0B6FAE", "#A86200", "#00795A", "#A23F78", "#B5371A"},
        .heat = {"#F0F4F9", "#CADFEC", "#9CC3D9", "#76A3B4", "#A48A47", "#96600F", "#6E2600"},
        .outline = "#DDE1E8",
        .segment = "#FFFFFF"};
    return tokens;
}

const Tokens& highContrastTokens() {
    static const Tokens tokens = {
        .name = "high_contrast",
        .colors = {"#000000", "#000000", "#0B0C0F", "#2A2F39", "#000000", "#A6AEBC", "#FFFFFF", "#FFFFFF", "#F0F2F6",
                   "#D6DBE4", "#A9BAFF", "#A9BAFF", "#000000", "#63E0B0", "#FFC95C", "#FFA28C", "#8FD2FF"},
        .series = {"#7CC8FA", "#FFBB45", "#50DDB0", "#F2A3CE", "#FFA28C"},
        .heat = {"#1E2740", "#25426B", "#2F6896", "#5E93A8", "#AEB48C", "#E6C564", "#FFE680"},
        .outline = "#A6AEBC",
        .segment = "#2A2F39",
        .border_px = 2};
    return tokens;
}

namespace {

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace

double contrastRatio(const QColor& a, const QColor& b) {
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

QColor blend(const QColor& over, const QColor& under, double opacity) {
    const auto mix = [opacity](float top, float bottom) {
        return static_cast<float>(top * opacity + bottom * (1 - opacity));
    };
    return QColor::fromRgbF(mix(over.redF(), under.redF()), mix(over.greenF(), under.greenF()),
                            mix(over.blueF(), under.blueF()));
}

}  // namespace kinescope::ui
