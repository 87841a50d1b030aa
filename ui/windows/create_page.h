#pragma once

#include <QMainWindow>

class QDockWidget;

namespace kinescope::ui {

class LogPanel;
class NoticeStrip;
class NumbersModel;
class NumbersPanel;
class PreviewPanel;
class RequestModel;
class RequestPanel;
class RunModel;
class RunPanel;
class Theme;

/// The page that generates videos: settings on the left, preview in the middle, numbers on the right, log below.
class CreatePage : public QMainWindow {
    Q_OBJECT

public:
    CreatePage(const Theme& theme, RequestModel& request, RunModel& run, NumbersModel& numbers,
               QWidget* parent = nullptr);

    RequestPanel* requestPanel() const { return request_; }
    PreviewPanel* previewPanel() const { return preview_; }
    RunPanel* runPanel() const { return run_; }
    NumbersPanel* numbersPanel() const { return numbers_; }
    LogPanel* logPanel() const { return log_; }
    NoticeStrip* notice() const { return notice_; }
    NoticeStrip* gpuStrip() const { return gpuStrip_; }
    QDockWidget* settingsDock() const { return settingsDock_; }
    QDockWidget* numbersDock() const { return numbersDock_; }
    QDockWidget* logDock() const { return logDock_; }

    /// Resets sections, docks and timeline to the defaults for this window size.
    void resetLayout(QSize window);
    /// Updates everything that depends only on the window size.
    void adapt(QSize window);
    /// Shows only the video, as large as possible.
    void setTheatre(bool on);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectSteps();
    QDockWidget* addDock(const char* name, QWidget* panel, Qt::DockWidgetArea area);
    QWidget* makeCenter();
    bool fitsBothSideDocks() const;
    bool hasContent(const QWidget* part) const;
    void onSettingsDockToggled();
    void onNumbersDockToggled();

    NoticeStrip* notice_;
    NoticeStrip* gpuStrip_;
    RequestPanel* request_;
    PreviewPanel* preview_;
    RunPanel* run_;
    NumbersPanel* numbers_;
    LogPanel* log_;
    QDockWidget* settingsDock_;
    QDockWidget* numbersDock_;
    QDockWidget* logDock_;
    QList<QWidget*> hiddenByTheatre_;
    bool settingsReplaced_ = false;  ///< the Numbers dock has taken the place of the settings
};

}  // namespace kinescope::ui
