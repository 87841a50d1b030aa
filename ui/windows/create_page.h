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

/// The page where videos are made: settings at the left, the video in the middle, numbers at the right, log below.
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
    QDockWidget* settingsDock() const { return settingsDock_; }
    QDockWidget* numbersDock() const { return numbersDock_; }
    QDockWidget* logDock() const { return logDock_; }

    /// The layout for a window of that size: sections, docks and timeline as the room allows.
    void resetLayout(QSize window);
    /// What depends on the room alone and is not the user's choice.
    void adapt(QSize window);
    /// Only the video, as large as it gets.
    void setTheatre(bool on);

private:
    QDockWidget* addDock(const char* name, QWidget* panel, Qt::DockWidgetArea area);
    QWidget* makeCentre();

    NoticeStrip* notice_;
    RequestPanel* request_;
    PreviewPanel* preview_;
    RunPanel* run_;
    NumbersPanel* numbers_;
    LogPanel* log_;
    QDockWidget* settingsDock_;
    QDockWidget* numbersDock_;
    QDockWidget* logDock_;
    QList<QWidget*> hiddenByTheatre_;
};

}  // namespace kinescope::ui
