#pragma once

#include <QMainWindow>

#include <functional>

#include "ui/models/error_catalogue.h"
#include "ui/models/history_model.h"
#include "ui/models/numbers_model.h"
#include "ui/models/preferences.h"
#include "ui/models/request_model.h"
#include "ui/models/run_model.h"
#include "ui/widgets/message_line.h"
#include "ui/windows/desktop.h"
#include "ui/windows/queue_desk.h"

class QStackedWidget;

namespace kinescope::ui {

class CreatePage;
class LibraryPage;
class MainMenu;
class NavRail;
class SettingsDesk;
class StatusLine;
class StudyPages;
class Theme;
enum class NumbersExport;

/// The whole window: models, pages, menu and status line put together. It decides nothing that a panel can decide.
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
    /// Docks and sections as a window of this size has them at first.
    void resetLayout();
    /// A file given to the program: a preset is imported, anything else is a model.
    void open(const QString& file);
    /// A theme by its name in the preferences; it is not remembered.
    void showTheme(const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildFrame();
    void buildMenu();
    void wireRequest();
    void wireRun();
    void wireView();
    void addStudyPages();
    void wireQueue();
    void wireLibrary();
    void wireSettings();
    void say();
    void restoreLayout();

    void generate();
    void takeDrop(const DropPlan& plan);
    void tellRestored(const QString& missingModel);
    void askRecovery();
    bool mayQuit();
    /// Something in the strip of the Create page, with what its button does.
    void tell(Severity severity, const QString& lead, const QString& words, const QString& action = {},
              std::function<void()> call = {});
    void varySeed();
    void cure(CureAction action);
    void follow(RunState state);
    void presentTitle();
    void presentNotice();
    void presentActions();
    void choosePath();
    void chooseModelFolder();
    void exportVideo();
    void exportNumbers(NumbersExport what);
    void saveFrame();
    void showResult();
    void showNumbers();
    void setTheatre(bool on);
    /// Copies a file and says so, or why not, in the strip.
    void copyFile(const QString& from, const QString& to);
    /// The samples of a numeric log as CSV.
    void saveTable(const QString& log, const QString& to);
    QString resultFile() const;

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
    SettingsDesk* settingsDesk_ = nullptr;
    NavRail* rail_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    CreatePage* page_ = nullptr;
    LibraryPage* library_ = nullptr;
    StatusLine* status_ = nullptr;
    StudyPages* studies_ = nullptr;
    bool promptFocused_ = false;
    bool theatre_ = false;
    bool quitWhenDone_ = false;
    std::function<void()> noticeCall_;  ///< of the strip's button
};

}  // namespace kinescope::ui
