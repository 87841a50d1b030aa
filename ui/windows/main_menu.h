#pragma once

#include <QActionGroup>
#include <QList>
#include <QObject>
#include <utility>

class QAction;
class QMainWindow;
class QMenu;

namespace kinescope::ui {

class Theme;

/// The menu bar with all actions. It is independent of the models; the window connects the actions.
class MainMenu : public QObject {
    Q_OBJECT

public:
    explicit MainMenu(QMainWindow& window);

    QAction* newRequest = nullptr;
    QAction* openFile = nullptr;
    QAction* addStartImage = nullptr;
    QAction* openModel = nullptr;
    QAction* savePreset = nullptr;
    QAction* savePresetAs = nullptr;
    QAction* importPreset = nullptr;
    QAction* exportPreset = nullptr;
    QAction* exportVideo = nullptr;
    QAction* finishVideo = nullptr;
    QAction* saveFrame = nullptr;
    QAction* importQueue = nullptr;
    QAction* exportQueue = nullptr;
    QAction* showOutputFolder = nullptr;
    QAction* chooseOutputFolder = nullptr;
    QAction* quit = nullptr;

    QAction* undo = nullptr;
    QAction* redo = nullptr;
    QAction* cut = nullptr;
    QAction* copy = nullptr;
    QAction* paste = nullptr;
    QAction* selectAll = nullptr;
    QAction* find = nullptr;
    QAction* preferences = nullptr;

    QAction* generate = nullptr;
    QAction* varySeed = nullptr;
    QAction* lockSeed = nullptr;
    QAction* addToQueue = nullptr;
    QAction* pause = nullptr;  ///< pauses or continues
    QAction* stop = nullptr;

    QAction* expertNumbers = nullptr;
    QActionGroup* theme = nullptr;  ///< the data of an action is the theme's name in the preferences
    QAction* largerText = nullptr;
    QAction* smallerText = nullptr;
    QAction* normalText = nullptr;
    QAction* fullScreen = nullptr;
    QAction* resetLayout = nullptr;

    QAction* compareWith = nullptr;
    QAction* openNumericLog = nullptr;

    QAction* help = nullptr;
    QAction* whatNumbersMean = nullptr;
    QAction* seeGuardWork = nullptr;
    QAction* reportProblem = nullptr;
    QAction* keyboardShortcuts = nullptr;
    QAction* about = nullptr;

    /// Adds an action that switches to a page, at the start of the View menu.
    void addPage(QAction* page, const char* text, const QKeySequence& key, const char* name);
    /// Adds a dock's toggle action to the View menu, after the pages.
    void addDock(QAction* toggle, const char* text, const QKeySequence& key, const char* name);
    /// Adds an action at the end of the Tools menu.
    void addTool(QAction* tool, const char* text, const QKeySequence& key, const char* name);

private:
    // Texts are passed untranslated, marked by QT_TR_NOOP; retranslate() sets them in the current language.
    QMenu* addMenu(const char* text, QMenu* into = nullptr);
    QAction* add(QMenu* menu, const char* name, const char* text, const QKeySequence& key = {});
    void setUp(QAction* action, const char* text, const QKeySequence& key, const char* name);
    void retranslate();
    void buildFile();
    void buildEdit();
    void buildGenerate();
    void buildView();
    void buildTools();
    void buildHelp();

    QMainWindow& window_;
    QList<std::pair<QAction*, const char*>> texts_;
    QMenu* view_ = nullptr;
    QMenu* tools_ = nullptr;
    QAction* afterPages_ = nullptr;
    QAction* afterDocks_ = nullptr;
};

}  // namespace kinescope::ui
