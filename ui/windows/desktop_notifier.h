#pragma once

#include <QDBusConnection>
#include <QDBusUnixFileDescriptor>
#include <QObject>

#include "ui/models/preferences.h"
#include "ui/models/run_model.h"
#include "ui/windows/desktop.h"

class QWidget;

namespace kinescope::ui {

/// D-Bus connections, which tests replace.
struct DesktopBuses {
    QDBusConnection session;  ///< notifications and launcher progress
    QDBusConnection system;   ///< the login manager, which can prevent sleep
};

/// Reports a run to the desktop: shows progress on the launcher icon, prevents sleep during the run, and sends a
/// notification at its end if the window is not active. Ignores missing services.
class DesktopNotifier : public QObject {
    Q_OBJECT

public:
    /// All arguments must outlive this object.
    DesktopNotifier(RunModel& run, QWidget& window, Preferences preferences, Desktop desktop, DesktopBuses buses);
    ~DesktopNotifier() override;

    /// Shows a notification when the last job of the queue has ended.
    void notifyQueueEnd(int finished, int failed);

private Q_SLOTS:
    void actionInvoked(uint id, const QString& action);

private:
    void onRunStateChanged(RunState state);
    void showProgress();
    enum class ProgressBar { hidden, visible };
    void sendProgress(ProgressBar bar);
    void stayAwake(RunState state);
    void notifyEnd(RunState state);
    void notify(const QString& title, const QString& body, const QString& file);

    RunModel& run_;
    QWidget& window_;
    Preferences preferences_;
    Desktop desktop_;
    DesktopBuses buses_;
    QDBusUnixFileDescriptor awake_;  ///< prevents sleep while it is open
    int percent_ = -1;
    bool urgent_ = false;
    uint notification_ = 0;
    QString file_;
};

}  // namespace kinescope::ui
