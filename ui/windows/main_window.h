#pragma once

#include <QMainWindow>

#include "ui/models/explore_model.h"
#include "ui/models/history_model.h"
#include "ui/models/numbers_model.h"
#include "ui/models/preferences.h"
#include "ui/models/request_model.h"
#include "ui/models/run_model.h"
#include "ui/windows/desktop.h"
#include "ui/windows/queue_controller.h"

namespace kinescope::ui {

class CreatePage;
class ExplorePage;
class ExportController;
class FinishController;
class FileController;
class GpuSupportModel;
class LibraryPage;
class MainMenu;
class NavRail;
class NoticeBoard;
class PageStack;
class QueueEnd;
class QuitGuard;
class RequestController;
class ResultController;
class SettingsController;
class StatusLine;
class StudyPages;
class Theme;
class ViewController;
class WaitingJobs;

/// The main window. Connects models, pages, menu, status line and controllers, which contain the logic.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Theme& theme, EngineBridge& bridge, QSettings& settings, Desktop desktop, QWidget* parent = nullptr);
    /// Deletes the panels first, because they use the models.
    ~MainWindow() override;

    CreatePage* createPage() const { return page_; }
    LibraryPage* libraryPage() const { return library_; }
    QueueController& queueController() { return queueController_; }
    RequestModel& request() { return request_; }
    RunModel& run() { return run_; }
    QueueEnd& queueEnd() { return *queueEnd_; }
    HistoryModel& history() { return history_; }
    /// Resets docks and sections to the defaults for the window size.
    void resetLayout();
    /// Opens a file or folder passed to the program: a preset, video, list of requests, image or model.
    void open(const QString& file);
    /// Shows a theme, named as in the preferences, without storing it.
    void showTheme(const QString& name);

Q_SIGNALS:
    /// Emitted when the user asks for a restart of the program.
    void restartRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildFrame();
    void buildMenu();
    void buildControllers();
    void addStudyPages();
    void addExplorePage();
    void addGpuStrips();
    void addFocusRing();
    void showDevices(const std::vector<DeviceInfo>& devices);
    void wireModels();
    void wireRun();
    void wireResults();
    void wireQueue();
    void wireLibrary();
    void wireSettings();
    void updateOutputFolder();
    void retranslate();

    void compareWith();
    void compareVideos(const QString& a, const QString& b);
    void showPage(QWidget* page);
    void offerRecovery();
    void onRunStateChanged(RunState state);
    void deleteOldLogs();
    void updateTitle();
    void updateActions();
    /// Generates the videos of the visible page: those of Explore, or the one of the form.
    void generate();
    void askDiscard();
    QString videoToExport() const;
    void updateQueueCount();

    Theme& theme_;
    EngineBridge& bridge_;
    QSettings& settings_;
    Preferences preferences_;
    Desktop desktop_;
    RequestModel request_;
    RunModel run_;
    NumbersModel numbers_;
    QueueController queueController_;
    HistoryModel history_;
    ExploreModel exploreModel_;
    MainMenu* menu_ = nullptr;
    NavRail* rail_ = nullptr;
    PageStack* pages_ = nullptr;
    CreatePage* page_ = nullptr;
    LibraryPage* library_ = nullptr;
    ExplorePage* explore_ = nullptr;
    StatusLine* status_ = nullptr;
    StudyPages* studies_ = nullptr;
    NoticeBoard* notices_ = nullptr;
    ViewController* view_ = nullptr;
    RequestController* requests_ = nullptr;
    SettingsController* settingsController_ = nullptr;
    ResultController* results_ = nullptr;
    ExportController* exports_ = nullptr;
    FinishController* finishes_ = nullptr;
    FileController* files_ = nullptr;
    QuitGuard* quitGuard_ = nullptr;
    QueueEnd* queueEnd_ = nullptr;
    WaitingJobs* waitingJobs_ = nullptr;
    GpuSupportModel* gpu_ = nullptr;
};

}  // namespace kinescope::ui
