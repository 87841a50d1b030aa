#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

namespace kinescope {

/// What the command line of the window asks for.
struct WindowOptions {
    QStringList files;         ///< to open: videos, pictures, models, presets, lists of jobs
    QString model;             ///< empty: the one of last time
    QString theme;             ///< empty: as in the preferences
    QString screenshot;        ///< a PNG file: show, wait until ready, save, quit
    QSize size;                ///< of the window; invalid: as it was
    bool startupTime = false;  ///< print the milliseconds to the first paint and to Generate
};

/// Parses the arguments; prints and ends the program for --help, --version and for arguments that are not known.
WindowOptions parseWindowOptions(const QStringList& arguments);

}  // namespace kinescope
