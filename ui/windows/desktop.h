#pragma once

#include <QString>
#include <functional>

#include "ui/windows/quit_dialog.h"

namespace kinescope::ui {

/// Services of the desktop environment; tests replace them.
struct Desktop {
    std::function<void(const QString& file)> showInFolder;
    /// Asks for a path to save to; empty if canceled.
    std::function<QString(const QString& title, const QString& proposal, const QString& filter)> askSaveName;
    std::function<QString(const QString& title, const QString& start)> askFolder;
    /// Asks for an existing file; empty if canceled.
    std::function<QString(const QString& title, const QString& start, const QString& filter)> askFile;
    /// Asks for a name; empty if canceled.
    std::function<QString(const QString& title, const QString& proposal)> askName;
    /// Asks how to quit during a run; null: the window shows its own dialog.
    std::function<QuitAnswer(const QuitQuestion&)> askQuit;
};

/// The real services: Qt's file dialogs, and the file manager over D-Bus, which can select a file, or otherwise the
/// folder.
Desktop systemDesktop();

}  // namespace kinescope::ui
