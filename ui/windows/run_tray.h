#pragma once

#include <QObject>
#include <memory>

class QAction;
class QMenu;
class QSystemTrayIcon;
class QWidget;

namespace kinescope::ui {

class RunModel;

/// An icon beside the clock while a video is being made or is paused: how far it is, and what can be done without the
/// window. Where the desktop has no such place, nothing is shown.
class RunTray : public QObject {
    Q_OBJECT

public:
    /// All of them must outlive it.
    RunTray(RunModel& run, QWidget& window);
    ~RunTray() override;

    bool isShown() const { return shown_; }
    /// "Kinescope: 46 %, 0:52 left".
    QString words() const;
    QMenu& menu() { return *menu_; }

private:
    void present();
    void showWindow();

    RunModel& run_;
    QWidget& window_;
    std::unique_ptr<QMenu> menu_;
    QAction* show_;
    QAction* pause_;
    QAction* quit_;
    std::unique_ptr<QSystemTrayIcon> icon_;  ///< null until it is needed, and where there is no place for it
    bool shown_ = false;
    int percent_ = -1;  ///< as the icon shows it
};

}  // namespace kinescope::ui
