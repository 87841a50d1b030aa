#pragma once

#include <QObject>
#include <memory>

class QAction;
class QMenu;
class QSystemTrayIcon;
class QWidget;

namespace kinescope::ui {

class RunModel;

/// A tray icon during a run, with progress and basic actions. Hidden if the desktop has no tray.
class RunTray : public QObject {
    Q_OBJECT

public:
    /// `run` and `window` must outlive this object.
    RunTray(RunModel& run, QWidget& window);
    ~RunTray() override;

    bool isShown() const { return shown_; }
    /// Returns "Kinescope: 46 %, 0:52 left".
    QString statusText() const;
    QMenu& menu() { return *menu_; }

private:
    void updateIcon();
    void showWindow();

    RunModel& run_;
    QWidget& window_;
    std::unique_ptr<QMenu> menu_;
    QAction* show_;
    QAction* pause_;
    QAction* quit_;
    std::unique_ptr<QSystemTrayIcon> icon_;  ///< null until it is needed, and if there is no tray
    bool shown_ = false;
    int percent_ = -1;  ///< displayed percentage
};

}  // namespace kinescope::ui
