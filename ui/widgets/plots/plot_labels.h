#pragma once

#include <array>

namespace kinescope::ui {

/// Height of a line of text in px.
struct TextHeight {
    double ascent = 0;
    double descent = 0;

    double all() const { return ascent + descent; }
};

/// Baseline of a label beside a ring at `y`, moved away from the top and bottom edges of the plot.
double ringLabelBaseline(double y, double top, double bottom, const TextHeight& text);

/// The space for names behind the ends of their lines.
enum class NameRoom { behind, none };

/// Vertical centers of the names of two lines that end at `ends`, without overlap. Without room behind the lines, the
/// names are placed above the upper and below the lower line.
std::array<double, 2> nameCenters(const std::array<double, 2>& ends, NameRoom room, const TextHeight& text);

}  // namespace kinescope::ui
