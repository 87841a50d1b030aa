#pragma once

#include <QMainWindow>

#include "ui/models/history_model.h"
#include "ui/models/numbers_model.h"
#include "ui/models/preferences.h"
#include "ui/models/request_model.h"
#include "ui/models/run_model.h"
#include "ui/windows/desktop.h"
#include "ui/windows/queue_desk.h"

class QStackedWidget;

namespace kinescope::ui {

class CreatePage;
class FileDesk;
class LibraryPage;
class MainMenu;
class NavRail;
class NoticeBoard;
class QueueEnd;
class QuitGuard;
class RequestDesk;
class ResultDesk;
class SettingsDesk;
class StatusLine;
class StudyPages;
class Theme;
class ViewDesk;

/// The whole window: models, pages, menu, status line and desks put together. It decides nothing that a panel or a desk
/// can decide.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Theme& theme, EngineBridge& bridge, QSettings& settings, Desktop desktop, QWidget* parent = nullptr);
    /// Panels go before the models that they look at.
    ~MainWindow() override;

    CreatePage* createPage() const { return page_; }
    LibraryPage* libraryPage() const { return library_; }
    QueueDesk& queueDesk() { return desk_; }
    RequestModel& request() { return request_; }
    RunModel& run() { return run_; }
    QueueEnd& queueEnd() { return *queueEnd_; }
    /// Docks and sections as a window of this size has them at first.
    void resetLayout();
    /// A file or folder given to the program: preset, video, requests, picture or model.
    void open(const QString& file);
    /// A theme by its name in the preferences; it is not remembered.
    void showTheme(const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildFrame();
    void buildMenu();
    void buildDesks();
    void addStudyPages();
    void wireModels();
    void wireRun();
    void wireResults();
    void wireQueue();
    void wireLibrary();
    void wireSettings();
    void say();

    void compareWith();
    void turnTo(QWidget* page);
    void askRecovery();
    void follow(RunState state);
    void presentTitle();
    void presentActions();
    void presentQueue();

    Theme& theme_;
    EngineBridge& bridge_;
    Preferences preferences_;
    Desktop desktop_;
    RequestModel request_;
    RunModel run_;
    NumbersModel numbers_;
    QueueDesk desk_;
    HistoryModel history_;
    MainMenu* menu_ = nullptr;
    NavRail* rail_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    CreatePage* page_ = nullptr;
    LibraryPage* library_ = nullptr;
    StatusLine* status_ = nullptr;
    StudyPages* studies_ = nullptr;
    NoticeBoard* notices_ = nullptr;
    ViewDesk* view_ = nullptr;
    RequestDesk* requests_ = nullptr;
    SettingsDesk* settingsDesk_ = nullptr;
    ResultDesk* results_ = nullptr;
    FileDesk* files_ = nullptr;
    QuitGuard* quitGuard_ = nullptr;
    QueueEnd* queueEnd_ = nullptr;
};

}  // namespace kinescope::ui
