#pragma once

#include <QString>
#include <functional>

#include "ui/windows/quit_dialog.h"

namespace kinescope::ui {

/// What the window asks of the desktop around it; tests put their own in.
struct Desktop {
    std::function<void(const QString& file)> showInFolder;
    /// Asks for a name to save under; empty: the user changed their mind.
    std::function<QString(const QString& title, const QString& proposal, const QString& filter)> askSaveName;
    std::function<QString(const QString& title, const QString& start)> askFolder;
    /// A file that is there; empty: the user changed their mind.
    std::function<QString(const QString& title, const QString& start, const QString& filter)> askFile;
    /// A few words; empty: the user changed their mind.
    std::function<QString(const QString& title, const QString& proposal)> askName;
    /// Asked when the window is closed in mid-run; none: the window has its own dialog.
    std::function<QuitAnswer(const QuitQuestion&)> askQuit;
};

/// The real one: the file manager by D-Bus where it can select a file, else the folder; Qt's file dialogs.
Desktop systemDesktop();

}  // namespace kinescope::ui
