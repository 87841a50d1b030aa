#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <QStringList>

namespace kinescope {

/// Parsed command line of the window.
struct WindowOptions {
    QStringList files;           ///< files to open, absolute: videos, images, models, presets, queues
    QString model;               ///< empty: the last one used
    QString theme;               ///< empty: as in the preferences
    QString screenshot;          ///< PNG file: save a screenshot when ready, then quit
    QSize size;                  ///< window size; invalid: as last time
    bool startupTime = false;    ///< print the startup times and quit
    QByteArray activationToken;  ///< lets a Wayland desktop bring a window to the front; empty: none
};

/// Parses the arguments. Prints a message and exits for --help, --version and unknown arguments.
WindowOptions parseWindowOptions(const QStringList& arguments);

}  // namespace kinescope
