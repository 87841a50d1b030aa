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

/// Controls theme, text size, docks and theater mode, and stores the layout.
class ViewController : public QObject {
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

    /// `window` becomes the parent. All parts must outlive this object.
    ViewController(QMainWindow& window, const Parts& parts);

    /// Shows a theme, named as in the preferences, without storing it.
    void showTheme(const QString& name);
    /// Resets docks and sections to the defaults for the window size.
    void resetLayout();
    void restoreLayout();
    /// Saves the layout. Leaves theater mode first.
    void saveLayout();
    /// Restores the page of the last session. Must be called after all pages are added.
    void restorePage();
    /// Updates everything that depends only on the window size.
    void adapt();

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void wireNumbers();
    void wireText();
    void restoreGeometry();
    void setTheatre(bool on);

    QMainWindow& window_;
    Parts parts_;
    QShortcut* leaveTheatre_ = nullptr;  ///< Escape, independent of the focus
    bool theatre_ = false;
};

/// Returns the minimum size of the window on a screen whose available part is `usable`.
QSize smallestWindowSize(QSize usable);

/// Returns the window size at the first start. It fits into `usable`, the available part of the screen, including the
/// window frame, but is not smaller than `smallest`.
QSize firstWindowSize(QSize usable, QSize smallest);

/// Returns `saved`, the place of a window in the last session, or one that fits into `usable`, the available part of
/// the screen, if the screen is smaller now. The window is not smaller than `smallest`.
QRect fittedWindow(const QRect& saved, const QRect& usable, QSize smallest);

}  // namespace kinescope::ui
