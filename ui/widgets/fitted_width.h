#pragma once

class QWidget;

namespace kinescope::ui {

/// Gives a widget a fixed width of `px`, and more while its contents need more, for example with large text.
void setFittedWidth(QWidget& widget, int px);

}  // namespace kinescope::ui
