#pragma once

#include <QString>
#include <functional>

#include "ui/windows/quit_dialog.h"

namespace kinescope::ui {

/// Services of the desktop environment, which tests replace.
struct Desktop {
    std::function<void(const QString& file)> showInFolder;
    /// Asks for a path to save to. Returns an empty string if the user cancels.
    std::function<QString(const QString& title, const QString& proposal, const QString& filter)> askSaveName;
    std::function<QString(const QString& title, const QString& start)> askFolder;
    /// Asks for an existing file. Returns an empty string if the user cancels.
    std::function<QString(const QString& title, const QString& start, const QString& filter)> askFile;
    /// Asks for a name. Returns an empty string if the user cancels.
    std::function<QString(const QString& title, const QString& proposal)> askName;
    /// Asks how to quit during a run. If it is null, the window shows its own dialog.
    std::function<QuitAnswer(const QuitQuestion&)> askQuit;
};

/// Returns the real services: Qt's file dialogs, and the file manager over D-Bus. The file manager selects a file or,
/// if it can't, opens its folder.
Desktop systemDesktop();

}  // namespace kinescope::ui
