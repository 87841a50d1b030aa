#include "app/window/open_start.h"

#include "ui/windows/main_window.h"

namespace kinescope {

void openStart(ui::MainWindow& window, const WindowOptions& options) {
    if (!options.model.isEmpty()) window.request().chooseModel(options.model.toStdString());
    for (const QString& file : options.files) window.open(file);
    if (!options.theme.isEmpty()) window.showTheme(options.theme);
    if (options.size.isValid()) {
        window.resize(options.size);
        window.resetLayout();
    }
}

void bringToFront(ui::MainWindow& window, const QByteArray& activationToken) {
    // Qt's Wayland plugin takes the token from here when a window is activated.
    if (!activationToken.isEmpty()) qputenv("XDG_ACTIVATION_TOKEN", activationToken);
    window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
    window.show();
    window.raise();
    window.activateWindow();
}

}  // namespace kinescope
