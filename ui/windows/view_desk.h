#pragma once

#include <QObject>

#include "ui/models/preferences.h"

class QMainWindow;

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
    /// What depends on the window's size alone.
    void adapt();

private:
    void wireNumbers();
    void wireText();
    void setTheatre(bool on);

    QMainWindow& window_;
    Parts parts_;
    bool theatre_ = false;
};

}  // namespace kinescope::ui
