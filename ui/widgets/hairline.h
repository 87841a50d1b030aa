#pragma once

#include <QFrame>

namespace kinescope::ui {

/// Creates a line that is 1 px thick, in the color of lines of the theme.
inline QFrame* makeHairline(QWidget* parent, Qt::Orientation direction = Qt::Horizontal) {
    auto* line = new QFrame(parent);
    line->setProperty("role", "line");
    direction == Qt::Horizontal ? line->setFixedHeight(1) : line->setFixedWidth(1);
    return line;
}

}  // namespace kinescope::ui
