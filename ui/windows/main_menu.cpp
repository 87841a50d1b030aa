#include "ui/windows/main_menu.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace kinescope::ui {

MainMenu::MainMenu(QMainWindow& window) : QObject(&window), window_(window) {
    buildFile();
    buildGenerate();
    buildView();
    buildHelp();
}

QAction* MainMenu::add(QMenu* menu, const char* name, const QString& text, const QKeySequence& key) {
    auto* action = menu->addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    window_.addAction(action);  // keys work while the menu bar is hidden
    return action;
}

void MainMenu::buildFile() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&File"));
    newRequest = add(menu, "actionNewRequest", tr("&New Request"), QKeySequence::New);
    openModel = add(menu, "actionOpenModel", tr("Open &Model Folder…"));
    menu->addSeparator();
    exportVideo = add(menu, "actionExportVideo", tr("&Export Video As…"), QKeySequence(Qt::CTRL | Qt::Key_E));
    saveFrame = add(menu, "actionSaveFrame", tr("Save &Frame As…"));
    menu->addSeparator();
    showOutputFolder =
        add(menu, "actionShowOutputFolder", tr("Show &Output Folder"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    chooseOutputFolder = add(menu, "actionChooseOutputFolder", tr("&Choose Output Folder…"));
    menu->addSeparator();
    quit = add(menu, "actionQuit", tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q));
    quit->setMenuRole(QAction::QuitRole);
}

void MainMenu::buildGenerate() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&Generate"));
    generate = add(menu, "actionGenerate", tr("&Generate"), QKeySequence(Qt::CTRL | Qt::Key_Return));
    generate->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    varySeed = add(menu, "actionVarySeed", tr("&Vary Seed"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    lockSeed = add(menu, "actionLockSeed", tr("&Lock Seed"), QKeySequence(Qt::CTRL | Qt::Key_L));
    lockSeed->setCheckable(true);
    addToQueue =
        add(menu, "actionAddToQueue", QT_TR_NOOP("&Add to Queue"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return));
    menu->addSeparator();
    pause = add(menu, "actionPause", QT_TR_NOOP("&Pause or Continue"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    stop = add(menu, "actionStop", tr("&Stop"), QKeySequence(Qt::CTRL | Qt::Key_Period));
}

void MainMenu::buildView() {
    view_ = window_.menuBar()->addMenu(tr("&View"));
    expertNumbers =
        add(view_, "actionExpertNumbers", tr("&Expert Numbers"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N));
    expertNumbers->setCheckable(true);
    afterDocks_ = expertNumbers;
    view_->addSeparator();
    theme = new QActionGroup(this);
    QMenu* themes = view_->addMenu(tr("&Theme"));
    const auto addTheme = [&](const char* id, const QString& text) {
        auto* action = themes->addAction(text);
        action->setObjectName(QLatin1String("actionTheme") +
                              QString::fromLatin1(id).simplified().remove(QLatin1Char(' ')));
        action->setData(QString::fromLatin1(id));
        action->setCheckable(true);
        theme->addAction(action);
    };
    addTheme("system", tr("&System"));
    addTheme("dark", tr("&Dark"));
    addTheme("light", tr("&Light"));
    addTheme("high contrast", tr("&High contrast"));
    largerText = add(view_, "actionLargerText", tr("&Larger Text"), QKeySequence::ZoomIn);
    smallerText = add(view_, "actionSmallerText", tr("S&maller Text"), QKeySequence::ZoomOut);
    normalText = add(view_, "actionNormalText", tr("N&ormal Text"), QKeySequence(Qt::CTRL | Qt::Key_0));
    view_->addSeparator();
    fullScreen = add(view_, "actionFullScreen", tr("&Full Screen"), QKeySequence(Qt::Key_F11));
    fullScreen->setCheckable(true);
    resetLayout = add(view_, "actionResetLayout", tr("&Reset Layout"));
}

void MainMenu::buildHelp() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&Help"));
    about = add(menu, "actionAbout", tr("&About Kinescope"));
    about->setMenuRole(QAction::AboutRole);
}

void MainMenu::addDock(QAction* toggle, const QString& text, const QKeySequence& key, const char* name) {
    toggle->setText(text);
    toggle->setObjectName(QLatin1String(name));
    toggle->setShortcut(key);
    view_->insertAction(afterDocks_, toggle);
    window_.addAction(toggle);
}

}  // namespace kinescope::ui
