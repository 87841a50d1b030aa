#pragma once

#include "app/window/options.h"

namespace kinescope {

namespace ui {
class MainWindow;
}

/// Opens what a start of the program names.
void openStart(ui::MainWindow& window, const WindowOptions& options);

/// Shows a window in front of the others. Some desktops only mark it unless the start has an activation token.
void bringToFront(ui::MainWindow& window, const QByteArray& activationToken);

}  // namespace kinescope
