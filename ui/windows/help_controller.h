#pragma once

#include <QObject>
#include <QPointer>
#include <QUrl>

#include "ui/bridge/engine_inspector.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {

class GuardDemoDialog;
class LogPanel;
class MainMenu;
class ManualWindow;
class NumericLogWindow;
class Preferences;
class ReportDialog;
class RunModel;
class Theme;

/// Opens the manual, the guard demonstration, the problem report and the numeric log, from the menus and from every "?"
/// in the window.
class HelpController : public QObject {
    Q_OBJECT

public:
    struct Parts {
        const Theme& theme;
        const MainMenu& menu;
        EngineBridge& bridge;
        EngineInspector& inspector;
        const RunModel& run;
        const LogPanel& log;
        const Desktop& desktop;
        const Preferences& preferences;
    };

    /// All parts must outlive this object.
    HelpController(QWidget& window, const Parts& parts);
    ~HelpController() override;

public Q_SLOTS:
    /// Handles addresses such as "kinescope-manual:numbers#headroom".
    void openManual(const QUrl& address);

private:
    void openManualForFocus();
    void seeGuardWork();
    void reportProblem();
    void showReport(const DoctorReport* computer);
    void openNumericLog();

    QWidget& window_;
    Parts parts_;
    QPointer<ManualWindow> manual_;
    QPointer<GuardDemoDialog> demo_;
    QPointer<ReportDialog> report_;
    QPointer<NumericLogWindow> log_;
};

}  // namespace kinescope::ui
