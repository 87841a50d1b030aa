#pragma once

#include <QFrame>

namespace kinescope::ui {

/// Creates a horizontal line that is 1 px high, in the color of lines of the theme.
inline QFrame* makeHairline(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setProperty("role", "line");
    line->setFixedHeight(1);
    return line;
}

}  // namespace kinescope::ui
