#pragma once

#include <array>

namespace kinescope::ui {

/// The height of a line of text in px.
struct TextHeight {
    double ascent = 0;
    double descent = 0;

    double all() const { return ascent + descent; }
};

/// Returns the baseline of the label next to a ring at `y`. The label stays inside the top and bottom edges of the
/// plot.
double ringLabelBaseline(double y, double top, double bottom, const TextHeight& text);

/// Whether there is space for names to the right of the ends of their lines.
enum class NameRoom { behind, none };

/// Returns the vertical centers of the names of two lines that end at `ends`, so that the names do not overlap. Without
/// space to the right of the lines, the names are above the upper line and below the lower one.
std::array<double, 2> nameCenters(const std::array<double, 2>& ends, NameRoom room, const TextHeight& text);

}  // namespace kinescope::ui
