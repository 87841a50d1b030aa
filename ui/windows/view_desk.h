#pragma once

#include <QObject>
#include <QSize>

#include "ui/models/preferences.h"

class QMainWindow;
class QShortcut;

namespace kinescope::ui {

class CreatePage;
class MainMenu;
class NavRail;
class StatusLine;
class Theme;

/// How the window looks: theme, size of the text, docks, theatre; and what of it is remembered.
class ViewDesk : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Theme& theme;
        MainMenu& menu;
        NavRail& rail;
        CreatePage& page;
        StatusLine& status;
        Preferences preferences;
    };

    /// `window` becomes the parent. All parts must outlive it.
    ViewDesk(QMainWindow& window, const Parts& parts);

    /// A theme by its name in the preferences; it is not remembered.
    void showTheme(const QString& name);
    /// Docks and sections as a window of this size has them at first.
    void resetLayout();
    void restoreLayout();
    /// Leaves the theatre, too.
    void saveLayout();
    /// The page that was shown when the program ended. To be called once all pages are there.
    void restorePage();
    /// What depends on the window's size alone.
    void adapt();

private:
    void wireNumbers();
    void wireText();
    void setTheatre(bool on);

    QMainWindow& window_;
    Parts parts_;
    QShortcut* leaveTheatre_ = nullptr;  ///< Escape, wherever the focus is
    bool theatre_ = false;
};

/// The window's size at a first start: inside `usable`, the part of the screen that the desktop leaves free, with its
/// frame; never below `smallest`.
QSize firstWindowSize(QSize usable, QSize smallest);

}  // namespace kinescope::ui
