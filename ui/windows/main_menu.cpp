#include "ui/windows/main_menu.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include "ui/widgets/language.h"

namespace kinescope::ui {

MainMenu::MainMenu(QMainWindow& window) : QObject(&window), window_(window) {
    buildFile();
    buildEdit();
    buildGenerate();
    buildView();
    buildTools();
    buildHelp();
    inEveryLanguage(&window_, [this] { retranslate(); });
}

void MainMenu::retranslate() {
    for (const auto& [action, text] : std::as_const(texts_)) action->setText(tr(text));
}

QMenu* MainMenu::addMenu(const char* text, QMenu* into) {
    QMenu* menu = into ? into->addMenu(QString()) : window_.menuBar()->addMenu(QString());
    texts_.append({menu->menuAction(), text});
    return menu;
}

QAction* MainMenu::add(QMenu* menu, const char* name, const char* text, const QKeySequence& key) {
    auto* action = menu->addAction(QString());
    texts_.append({action, text});
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    window_.addAction(action);  // keeps shortcuts working while the menu bar is hidden
    return action;
}

void MainMenu::buildFile() {
    QMenu* menu = addMenu(QT_TR_NOOP("&File"));
    newRequest = add(menu, "actionNewRequest", QT_TR_NOOP("&New Request"), QKeySequence::New);
    openFile = add(menu, "actionOpenFile", QT_TR_NOOP("Open &Video or Settings…"), QKeySequence::Open);
    openModel = add(menu, "actionOpenModel", QT_TR_NOOP("Open &Model Folder…"));
    addStartImage =
        add(menu, "actionAddStartImage", QT_TR_NOOP("Add S&tart Image…"), QKeySequence(Qt::CTRL | Qt::Key_I));
    menu->addSeparator();
    savePreset = add(menu, "actionSavePreset", QT_TR_NOOP("&Save Preset"), QKeySequence::Save);
    savePresetAs =
        add(menu, "actionSavePresetAs", QT_TR_NOOP("Save Preset &As…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    importPreset = add(menu, "actionImportPreset", QT_TR_NOOP("&Import Preset…"));
    exportPreset = add(menu, "actionExportPreset", QT_TR_NOOP("Ex&port Preset…"));
    menu->addSeparator();
    exportVideo = add(menu, "actionExportVideo", QT_TR_NOOP("&Export Video As…"), QKeySequence(Qt::CTRL | Qt::Key_E));
    finishVideo = add(menu, "actionFinishVideo", QT_TR_NOOP("Finis&h Video…"));
    saveFrame = add(menu, "actionSaveFrame", QT_TR_NOOP("Save &Frame As…"));
    menu->addSeparator();
    importQueue = add(menu, "actionImportQueue", QT_TR_NOOP("Import Q&ueue…"));
    exportQueue = add(menu, "actionExportQueue", QT_TR_NOOP("E&xport Queue…"));
    menu->addSeparator();
    showOutputFolder = add(menu, "actionShowOutputFolder", QT_TR_NOOP("Show &Output Folder"),
                           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    chooseOutputFolder = add(menu, "actionChooseOutputFolder", QT_TR_NOOP("&Choose Output Folder…"));
    menu->addSeparator();
    quit = add(menu, "actionQuit", QT_TR_NOOP("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q));
    quit->setMenuRole(QAction::QuitRole);
}

void MainMenu::buildEdit() {
    QMenu* menu = addMenu(QT_TR_NOOP("&Edit"));
    undo = add(menu, "actionUndo", QT_TR_NOOP("&Undo"), QKeySequence::Undo);
    redo = add(menu, "actionRedo", QT_TR_NOOP("&Redo"), QKeySequence::Redo);
    menu->addSeparator();
    cut = add(menu, "actionCut", QT_TR_NOOP("Cu&t"), QKeySequence::Cut);
    copy = add(menu, "actionCopy", QT_TR_NOOP("&Copy"), QKeySequence::Copy);
    paste = add(menu, "actionPaste", QT_TR_NOOP("P&aste"), QKeySequence::Paste);
    selectAll = add(menu, "actionSelectAll", QT_TR_NOOP("Select A&ll"), QKeySequence::SelectAll);
    menu->addSeparator();
    find = add(menu, "actionFind", QT_TR_NOOP("&Find in Library"), QKeySequence::Find);
    menu->addSeparator();
    preferences = add(menu, "actionPreferences", QT_TR_NOOP("&Preferences…"), QKeySequence(Qt::CTRL | Qt::Key_Comma));
    preferences->setMenuRole(QAction::PreferencesRole);
}

void MainMenu::buildGenerate() {
    QMenu* menu = addMenu(QT_TR_NOOP("&Generate"));
    generate = add(menu, "actionGenerate", QT_TR_NOOP("&Generate"), QKeySequence(Qt::CTRL | Qt::Key_Return));
    generate->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    varySeed = add(menu, "actionVarySeed", QT_TR_NOOP("&Vary Seed"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    lockSeed = add(menu, "actionLockSeed", QT_TR_NOOP("&Lock Seed"), QKeySequence(Qt::CTRL | Qt::Key_L));
    lockSeed->setCheckable(true);
    addToQueue =
        add(menu, "actionAddToQueue", QT_TR_NOOP("&Add to Queue"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return));
    menu->addSeparator();
    pause = add(menu, "actionPause", QT_TR_NOOP("&Pause or Continue"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    stop = add(menu, "actionStop", QT_TR_NOOP("&Stop"), QKeySequence(Qt::CTRL | Qt::Key_Period));
}

void MainMenu::buildView() {
    view_ = addMenu(QT_TR_NOOP("&View"));
    afterPages_ = view_->addSeparator();
    expertNumbers = add(view_, "actionExpertNumbers", QT_TR_NOOP("&Expert Numbers"),
                        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N));
    expertNumbers->setCheckable(true);
    afterDocks_ = expertNumbers;
    view_->addSeparator();
    theme = new QActionGroup(this);
    QMenu* themes = addMenu(QT_TR_NOOP("&Theme"), view_);
    const auto addTheme = [&](const char* id, const char* text) {
        auto* action = themes->addAction(QString());
        texts_.append({action, text});
        action->setObjectName(QLatin1String("actionTheme") +
                              QString::fromLatin1(id).simplified().remove(QLatin1Char(' ')));
        action->setData(QString::fromLatin1(id));
        action->setCheckable(true);
        theme->addAction(action);
    };
    addTheme("system", QT_TR_NOOP("&System"));
    addTheme("dark", QT_TR_NOOP("&Dark"));
    addTheme("light", QT_TR_NOOP("&Light"));
    addTheme("high contrast", QT_TR_NOOP("&High Contrast"));
    largerText = add(view_, "actionLargerText", QT_TR_NOOP("&Larger Text"), QKeySequence::ZoomIn);
    smallerText = add(view_, "actionSmallerText", QT_TR_NOOP("S&maller Text"), QKeySequence::ZoomOut);
    normalText = add(view_, "actionNormalText", QT_TR_NOOP("N&ormal Text"), QKeySequence(Qt::CTRL | Qt::Key_0));
    view_->addSeparator();
    fullScreen = add(view_, "actionFullScreen", QT_TR_NOOP("&Full Screen"), QKeySequence(Qt::Key_F11));
    fullScreen->setCheckable(true);
    resetLayout = add(view_, "actionResetLayout", QT_TR_NOOP("&Reset Layout"));
}

void MainMenu::buildTools() {
    tools_ = addMenu(QT_TR_NOOP("&Tools"));
    compareWith = add(tools_, "actionCompareWith", QT_TR_NOOP("&Compare With…"));
    openNumericLog = add(tools_, "actionOpenNumericLog", QT_TR_NOOP("Open &Numeric Log…"));
}

void MainMenu::buildHelp() {
    QMenu* menu = addMenu(QT_TR_NOOP("&Help"));
    help = add(menu, "actionHelp", QT_TR_NOOP("Kinescope &Help"), QKeySequence(Qt::Key_F1));
    help->setShortcutContext(Qt::ApplicationShortcut);  // F1 works in dialogs, too
    whatNumbersMean = add(menu, "actionWhatNumbersMean", QT_TR_NOOP("What the &Numbers Mean"));
    seeGuardWork = add(menu, "actionSeeGuardWork", QT_TR_NOOP("See the &Guard in Action…"));
    keyboardShortcuts =
        add(menu, "actionKeyboardShortcuts", QT_TR_NOOP("&Keyboard Shortcuts"), QKeySequence(Qt::CTRL | Qt::Key_Slash));
    menu->addSeparator();
    reportProblem = add(menu, "actionReportProblem", QT_TR_NOOP("&Report a Problem…"));
    menu->addSeparator();
    about = add(menu, "actionAbout", QT_TR_NOOP("&About Kinescope"));
    about->setMenuRole(QAction::AboutRole);
}

void MainMenu::setUp(QAction* action, const char* text, const QKeySequence& key, const char* name) {
    texts_.append({action, text});
    action->setText(tr(text));
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    window_.addAction(action);
}

void MainMenu::addPage(QAction* page, const char* text, const QKeySequence& key, const char* name) {
    setUp(page, text, key, name);
    view_->insertAction(afterPages_, page);
}

void MainMenu::addDock(QAction* toggle, const char* text, const QKeySequence& key, const char* name) {
    setUp(toggle, text, key, name);
    view_->insertAction(afterDocks_, toggle);
}

void MainMenu::addTool(QAction* tool, const char* text, const QKeySequence& key, const char* name) {
    setUp(tool, text, key, name);
    tools_->addAction(tool);
}

}  // namespace kinescope::ui
