#pragma once

#include <array>

namespace kinescope::ui {

/// The height of one line of text, px.
struct TextHeight {
    double ascent = 0;
    double descent = 0;

    double all() const { return ascent + descent; }
};

/// The baseline of a label beside a ring at `y`; at the edges of the plot, where limit and axis lie, it gives way to
/// them.
double ringLabelBaseline(double y, double top, double bottom, const TextHeight& text);

/// Whether names fit behind the ends of their lines.
enum class NameRoom { behind, none };

/// The middles of the names of two lines that end at `ends`: close to them and apart from one another; where there is
/// no room behind the lines, above the upper and below the lower one.
std::array<double, 2> nameMiddles(const std::array<double, 2>& ends, NameRoom room, const TextHeight& text);

}  // namespace kinescope::ui
