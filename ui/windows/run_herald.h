#pragma once

#include <QDBusConnection>
#include <QDBusUnixFileDescriptor>
#include <QObject>

#include "ui/models/preferences.h"
#include "ui/models/run_model.h"
#include "ui/windows/desktop.h"

class QWidget;

namespace kinescope::ui {

/// The buses of the desktop; tests put their own in.
struct DesktopBuses {
    QDBusConnection session;  ///< notifications, the bar of running programs
    QDBusConnection system;   ///< login manager: what keeps the computer awake
};

/// Tells the desktop of a run: progress on the program's icon, no sleep while it goes on, and a notification at its end
/// when nobody is looking at the window. Where a service is not there, nothing happens.
class RunHerald : public QObject {
    Q_OBJECT

public:
    /// All of them must outlive it.
    RunHerald(RunModel& run, QWidget& window, Preferences preferences, Desktop desktop, DesktopBuses buses);
    ~RunHerald() override;

    /// A notification that the last job of the queue has ended.
    void tellQueueEnd(int finished, int failed);

private Q_SLOTS:
    void actionInvoked(uint id, const QString& action);

private:
    void follow(RunState state);
    void showProgress();
    void sendProgress(bool visible);
    void stayAwake(RunState state);
    void tellEnd(RunState state);
    void notify(const QString& title, const QString& body, const QString& file);

    RunModel& run_;
    QWidget& window_;
    Preferences preferences_;
    Desktop desktop_;
    DesktopBuses buses_;
    QDBusUnixFileDescriptor awake_;  ///< while it is open, the computer does not sleep
    int percent_ = -1;
    bool urgent_ = false;
    uint notification_ = 0;
    QString file_;
};

}  // namespace kinescope::ui
