#include "ui/windows/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/models/log_table.h"
#include "ui/models/words.h"
#include "ui/panels/generate_bar.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/numbers_panel.h"
#include "ui/panels/preview_panel.h"
#include "ui/panels/prompt_fields.h"
#include "ui/panels/queue_panel.h"
#include "ui/panels/request_panel.h"
#include "ui/panels/run_panel.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/theme.h"
#include "ui/windows/about_dialog.h"
#include "ui/windows/compare_page.h"
#include "ui/windows/create_page.h"
#include "ui/windows/focus_ring.h"
#include "ui/windows/library_page.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/models_page.h"
#include "ui/windows/settings_desk.h"
#include "ui/windows/status_line.h"
#include "ui/windows/study_pages.h"
#include "ui/windows/window_drop.h"

namespace kinescope::ui {
namespace {

constexpr int kCompactRail = 1360;   ///< below that width the rail shows icons alone
constexpr int kExpertWindow = 1600;  ///< from that width on there is room for every plot
constexpr int kTextStep = 10;        ///< percent
constexpr int kTitleWords = 48;      ///< characters of the prompt in the window's title
constexpr auto kGeometry = "window/geometry";
constexpr auto kDocks = "window/createDocks";

}  // namespace

MainWindow::MainWindow(Theme& theme, EngineBridge& bridge, QSettings& settings, Desktop desktop, QWidget* parent)
    : QMainWindow(parent),
      theme_(theme),
      bridge_(bridge),
      preferences_(settings),
      desktop_(std::move(desktop)),
      request_(bridge),
      run_(bridge),
      numbers_(bridge),
      desk_(bridge, request_, run_, settings),
      history_(bridge, settings,
               QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/thumbnails"))) {
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(1024, 640);
    buildFrame();
    buildMenu();
    addStudyPages();
    wireRequest();
    wireRun();
    wireView();
    wireQueue();
    wireLibrary();
    wireSettings();
    restoreLayout();
    presentActions();
    bridge_.askModels();
    request_.chooseModel(preferences_.model().toStdString());
    bridge_.askDevices();
}

MainWindow::~MainWindow() {
    delete takeCentralWidget();
    delete status_;
}

void MainWindow::buildFrame() {
    auto* centre = new QWidget(this);
    rail_ = new NavRail(theme_, centre);
    rail_->setObjectName(QStringLiteral("navigationRail"));
    pages_ = new QStackedWidget(centre);
    pages_->setObjectName(QStringLiteral("pageStack"));
    page_ = new CreatePage(theme_, request_, run_, numbers_);
    rail_->addPage(QStringLiteral("create"), {})->setObjectName(QStringLiteral("createPageButton"));
    auto* gear = rail_->addCommand(QStringLiteral("gear"), {});
    gear->setObjectName(QStringLiteral("preferencesButton"));
    connect(gear, &QToolButton::clicked, this, [this] { menu_->preferences->trigger(); });
    rail_->setCurrentIndex(0);
    pages_->addWidget(page_);
    library_ = new LibraryPage(theme_, bridge_, desk_.queue(), history_);
    rail_->addPage(QStringLiteral("library"), {})->setObjectName(QStringLiteral("libraryPageButton"));
    pages_->addWidget(library_);
    connect(rail_, &NavRail::currentChanged, pages_, &QStackedWidget::setCurrentIndex);
    auto* row = new QHBoxLayout(centre);
    row->setContentsMargins(0, 8, 8, 0);
    row->setSpacing(0);
    row->addWidget(rail_);
    row->addWidget(pages_, 1);
    setCentralWidget(centre);
    status_ = new StatusLine(theme_, numbers_, run_, this);
    status_->setOutputFolder(preferences_.outputFolder());
    setStatusBar(status_);
    new FocusRing(*this, {rail_, page_->requestPanel(), page_->previewPanel(), page_->runPanel(), page_->numbersPanel(),
                          page_->logPanel(), library_, status_});
}

void MainWindow::buildMenu() {
    menu_ = new MainMenu(*this);
    menu_->addDock(page_->settingsDock()->toggleViewAction(), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "&Settings"),
                   QKeySequence(Qt::Key_F7), "actionSettings");
    menu_->addDock(page_->numbersDock()->toggleViewAction(), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "&Numbers"),
                   QKeySequence(Qt::Key_F8), "actionNumbers");
    menu_->addDock(page_->logDock()->toggleViewAction(), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "&Log"),
                   QKeySequence(Qt::Key_F9), "actionLog");
}

void MainWindow::addStudyPages() {
    studies_ = new StudyPages(theme_, bridge_, desktop_, {*rail_, *pages_, *menu_}, this);
    studies_->compare()->setFolder(preferences_.outputFolder());
    connect(rail_, &NavRail::currentChanged, this,
            [this] { studies_->compare()->setFolder(preferences_.outputFolder()); });
    connect(library_, &LibraryPage::compareWanted, this, [this](const QString& a, const QString& b) {
        rail_->setCurrentIndex(pages_->indexOf(studies_->compare()));
        studies_->compare()->compare(a, b);
    });
    connect(studies_->models(), &ModelsPage::modelsChanged, &bridge_, &EngineBridge::askModels);
    connect(studies_->models(), &ModelsPage::useWanted, this, [this](const QString& model) {
        request_.chooseModel(model.toStdString());
        rail_->setCurrentIndex(0);
    });
}

void MainWindow::wireRequest() {
    connect(page_->requestPanel(), &RequestPanel::generateWanted, this, &MainWindow::generate);
    connect(page_->requestPanel(), &RequestPanel::modelFolderWanted, this, &MainWindow::chooseModelFolder);
    connect(page_->notice(), &NoticeStrip::actionTriggered, this, [this] {
        if (noticeCall_) return noticeCall_();
        chooseModelFolder();
    });
    connect(page_->notice(), &NoticeStrip::dismissed, this, [this] {
        if (page_->notice()->severity() == Severity::info) preferences_.closeDemoNotice();
    });
    connect(&request_, &RequestModel::requestChanged, this, &MainWindow::presentActions);
    connect(&request_, &RequestModel::cardChanged, this, [this] {
        preferences_.setModel(QString::fromStdString(request_.card().id));
        presentNotice();
    });
    connect(&request_, &RequestModel::requestChanged, this, [this] {
        if (!request_.hasCard() || std::exchange(promptFocused_, true)) return;
        page_->requestPanel()->promptFields()->focusAndSelect();
    });
    connect(&request_, &RequestModel::cardRefused, this, [this](const Error& error) {
        page_->notice()->setNotice(Severity::error, QString(errorText(error).title + QLatin1Char('.')),
                                   errorText(error).sentence);
    });
    connect(menu_->generate, &QAction::triggered, this, &MainWindow::generate);
    connect(menu_->varySeed, &QAction::triggered, this, &MainWindow::varySeed);
    connect(menu_->lockSeed, &QAction::triggered, this,
            [this](bool locked) { request_.setSeedMode(locked ? SeedMode::locked : SeedMode::newEachRun); });
    connect(menu_->newRequest, &QAction::triggered, this, [this] {
        request_.startAnew();
        page_->requestPanel()->promptFields()->focusAndSelect();
    });
    connect(menu_->openModel, &QAction::triggered, this, &MainWindow::chooseModelFolder);
    connect(menu_->chooseOutputFolder, &QAction::triggered, this, &MainWindow::choosePath);
    connect(&bridge_, &EngineBridge::devicesFound, this, [this](const std::vector<DeviceInfo>& devices) {
        if (!devices.empty()) status_->setDevice(devices.front());
    });
}

void MainWindow::wireRun() {
    connect(&run_, &RunModel::stateChanged, this, &MainWindow::follow);
    connect(&run_, &RunModel::progressed, this, &MainWindow::presentTitle);
    connect(menu_->stop, &QAction::triggered, &run_, &RunModel::stop);
    RunPanel* island = page_->runPanel();
    connect(island, &RunPanel::stopWanted, &run_, &RunModel::stop);
    connect(island, &RunPanel::pauseWanted, &run_, &RunModel::pause);
    connect(island, &RunPanel::continueWanted, &run_, &RunModel::proceed);
    connect(island, &RunPanel::startOverWanted, &run_, &RunModel::startOver);
    connect(menu_->pause, &QAction::triggered, &run_,
            [this] { run_.state() == RunState::paused ? run_.proceed() : run_.pause(); });
    connect(island, &RunPanel::playWanted, page_->previewPanel()->player(), &FramePlayer::play);
    connect(island, &RunPanel::showInFolderWanted, this, &MainWindow::showResult);
    connect(island, &RunPanel::exportWanted, this, &MainWindow::exportVideo);
    connect(page_->previewPanel(), &PreviewPanel::cureChosen, this, &MainWindow::cure);
    connect(page_->previewPanel(), &PreviewPanel::saveFrameWanted, this, &MainWindow::saveFrame);
    connect(page_->numbersPanel(), &NumbersPanel::exportWanted, this, &MainWindow::exportNumbers);
    connect(menu_->exportVideo, &QAction::triggered, this, &MainWindow::exportVideo);
    connect(menu_->saveFrame, &QAction::triggered, this, &MainWindow::saveFrame);
    connect(menu_->showOutputFolder, &QAction::triggered, this, &MainWindow::showResult);
}

void MainWindow::wireView() {
    NumbersPanel* numbers = page_->numbersPanel();
    connect(numbers, &NumbersPanel::expertChanged, this, [this](bool expert) {
        preferences_.setExpertNumbers(expert);
        menu_->expertNumbers->setChecked(expert);
    });
    connect(menu_->expertNumbers, &QAction::triggered, this, [this, numbers](bool expert) {
        numbers->setExpert(expert);
        page_->numbersDock()->show();
    });
    connect(status_, &StatusLine::numbersWanted, this, &MainWindow::showNumbers);
    connect(page_->previewPanel(), &PreviewPanel::theatreWanted, this, [this] { setTheatre(!theatre_); });
    connect(page_->previewPanel(), &PreviewPanel::theatreLeft, this, [this] { setTheatre(false); });
    connect(menu_->theme, &QActionGroup::triggered, this, [this](QAction* action) {
        preferences_.setTheme(action->data().toString());
        showTheme(action->data().toString());
    });
    const auto scaleText = [this](int percent) {
        theme_.setTextScalePercent(percent);
        preferences_.set(setting::kTextPercent, theme_.textScalePercent());
    };
    connect(menu_->largerText, &QAction::triggered, this,
            [=, this] { scaleText(theme_.textScalePercent() + kTextStep); });
    connect(menu_->smallerText, &QAction::triggered, this,
            [=, this] { scaleText(theme_.textScalePercent() - kTextStep); });
    connect(menu_->normalText, &QAction::triggered, this, [=] { scaleText(100); });
    connect(menu_->fullScreen, &QAction::triggered, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
    connect(menu_->resetLayout, &QAction::triggered, this, &MainWindow::resetLayout);
    connect(menu_->about, &QAction::triggered, this, [this] {
        auto* dialog = new AboutDialog(theme_, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    connect(menu_->quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::wireQueue() {
    GenerateBar* bar = page_->requestPanel()->generateBar();
    connect(bar, &GenerateBar::queueWanted, this, &MainWindow::generate);
    connect(menu_->addToQueue, &QAction::triggered, this, &MainWindow::generate);
    connect(&desk_, &QueueDesk::editingChanged, bar, &GenerateBar::setEditingJob);
    connect(&desk_, &QueueDesk::said, this,
            [this](const QString& lead, const QString& words) { tell(Severity::ok, lead, words); });
    connect(&desk_, &QueueDesk::failed, this,
            [this](const QString& lead, const QString& words) { tell(Severity::error, lead, words); });
    connect(&desk_, &QueueDesk::videoHasNone, this, [this] {
        tell(Severity::warning, tr("This video holds no settings."),
             tr("It was not made by Kinescope, or another program removed them."));
    });
    connect(&desk_.restorer(), &SettingsRestorer::restored, this, &MainWindow::tellRestored);
    connect(&bridge_, &EngineBridge::engineReady, this, &MainWindow::askRecovery);
    connect(&desk_.queue(), &QueueModel::changed, this, [this] {
        const int row = desk_.queue().rowOf(run_.facts().job);
        const bool on_stage = row >= 0 && !is_over(desk_.queue().job(row).state);
        status_->setQueue(desk_.queue().numOpen() - (on_stage ? 1 : 0));
    });
    connect(status_, &StatusLine::queueWanted, this, [this] { rail_->setCurrentIndex(pages_->indexOf(library_)); });
    auto* drop = new WindowDrop(theme_, *this, *pages_, [this] {
        const bool card = request_.hasCard();
        const auto takes = [&](Task task) {
            return card && std::count(request_.card().tasks.begin(), request_.card().tasks.end(), task) > 0;
        };
        return DropOffer{{},
                         {},
                         takes(Task::image_to_video) || takes(Task::first_last_frame_to_video),
                         card ? QString::fromStdString(request_.card().name) : QString()};
    });
    drop->passFilesOf(*page_->findChild<QPlainTextEdit*>(QStringLiteral("promptEdit"))->viewport());
    connect(drop, &WindowDrop::dropped, this, &MainWindow::takeDrop);
}

void MainWindow::wireLibrary() {
    const auto addKey = [this](QWidget* page, const char* text, Qt::Key key, const char* name) {
        auto* action = new QAction(this);
        menu_->addDock(action, text, QKeySequence(Qt::CTRL | key), name);
        connect(action, &QAction::triggered, rail_, [this, page] { rail_->setCurrentIndex(pages_->indexOf(page)); });
    };
    addKey(page_, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "&Create"), Qt::Key_1, "actionCreate");
    addKey(library_, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "L&ibrary"), Qt::Key_2, "actionLibrary");
    QueuePanel* queue = library_->queuePanel();
    const auto toCreate = [this] { rail_->setCurrentIndex(pages_->indexOf(page_)); };
    connect(queue, &QueuePanel::editWanted, this, [this, toCreate](const JobRecord& job) {
        toCreate();
        desk_.edit(job);
    });
    connect(queue, &QueuePanel::duplicateWanted, this,
            [this](const JobRecord& job) { desk_.vary(job.request, preferences_.outputFolder(), 1); });
    connect(queue, &QueuePanel::useSettingsWanted, this, [this, toCreate](const JobRecord& job) {
        toCreate();
        desk_.restorer().restore(job.request);
    });
    connect(queue, &QueuePanel::exportWanted, this, [this] {
        const QString to = desktop_.askSaveName(tr("Export the queue"), QDir::home().filePath("queue.jsonl"),
                                                tr("JSON Lines (*.jsonl)"));
        const QString fault = to.isEmpty() ? QString() : desk_.exportRequests(to);
        if (!fault.isEmpty()) library_->notice()->setNotice(Severity::error, tr("Could not be exported:"), fault);
    });
    connect(library_, &LibraryPage::useSettingsWanted, this, [this, toCreate](const QString& file) {
        toCreate();
        const HistoryItem* item = history_.item(file);
        if (item && item->request) return desk_.restorer().restore(*item->request);
        desk_.restoreFrom(file);
    });
    connect(library_, &LibraryPage::varyWanted, this, [this](const VideoRequest& request, int count) {
        desk_.vary(request, preferences_.outputFolder(), count);
    });
    connect(library_, &LibraryPage::showInFolderWanted, this,
            [this](const QString& file) { desktop_.showInFolder(file); });
    connect(&request_, &RequestModel::cardChanged, library_,
            [this] { library_->historyPanel()->setModel(request_.card().id); });
    connect(rail_, &NavRail::currentChanged, this, [this](int page) {
        if (page == pages_->indexOf(library_)) history_.scan(preferences_.outputFolder());
    });
}

void MainWindow::takeDrop(const DropPlan& plan) {
    rail_->setCurrentIndex(pages_->indexOf(page_));
    switch (plan.action) {
        case DropPlan::Action::refuse:
            return tell(Severity::warning, tr("Nothing was taken."), plan.words);
        case DropPlan::Action::startImage:
            return request_.edit([&](VideoRequest& form) { form.image = plan.what.toStdU16String(); });
        case DropPlan::Action::restoreVideo:
            return desk_.restoreFrom(plan.what);
        case DropPlan::Action::importRequests:
            return desk_.importRequests(plan.what, preferences_.outputFolder());
        case DropPlan::Action::openModel:
            return request_.chooseModel(QDir::cleanPath(plan.what).toStdString());
        case DropPlan::Action::replacePrompt:
            return request_.edit([&](VideoRequest& form) { form.prompt = plan.what.toStdString(); });
    }
}

void MainWindow::tellRestored(const QString& missingModel) {
    if (!desk_.restorer().canUndo()) return page_->notice()->hide();
    const QString words = missingModel.isEmpty() ? QString()
                                                 : tr("Made with %1, which is not here. Settings that fit were kept.")
                                                       .arg(modelWords(missingModel.toStdString()));
    const QString lead = desk_.isEditing() ? tr("A job of the queue is open.") : tr("Settings restored.");
    tell(missingModel.isEmpty() ? Severity::ok : Severity::warning, lead, words, tr("Undo"),
         [this] { desk_.undoRestore(); });
}

void MainWindow::askRecovery() {
    const auto facts = desk_.interrupted();
    if (!facts) return;
    auto* dialog = new RecoveryDialog(theme_, *facts, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::finished, this,
            [this, dialog, facts = *facts] { desk_.answerRecovery(facts, dialog->answer(), dialog->safeMode()); });
    dialog->open();
}

void MainWindow::tell(Severity severity, const QString& lead, const QString& words, const QString& action,
                      std::function<void()> call) {
    noticeCall_ = std::move(call);
    page_->notice()->setNotice(severity, lead, words, action);
}

void MainWindow::wireSettings() {
    settingsDesk_ =
        new SettingsDesk(*this, preferences_, {theme_, bridge_, request_, *menu_, *page_->notice(), desktop_});
    RequestPanel* panel = page_->requestPanel();
    connect(panel, &RequestPanel::savePresetWanted, settingsDesk_, &SettingsDesk::savePresetAs);
    connect(panel, &RequestPanel::importPresetWanted, settingsDesk_, qOverload<>(&SettingsDesk::importPreset));
    connect(panel, &RequestPanel::exportPresetWanted, settingsDesk_, &SettingsDesk::exportPreset);
    connect(settingsDesk_, &SettingsDesk::applied, this, [this] {
        showTheme(preferences_.theme());
        status_->setOutputFolder(preferences_.outputFolder());
    });
    settingsDesk_->apply();
    inEveryLanguage(this, [this] { say(); });
}

void MainWindow::say() {
    rail_->setPageText(0, tr("Create"));
    rail_->setPageText(1, tr("Library"));
    rail_->setCommandText(0, tr("Preferences"));
    numbers_.sayAgain();
    presentTitle();
    if (request_.hasCard()) presentNotice();
    for (QWidget* painted : findChildren<QWidget*>()) painted->update();
}

void MainWindow::restoreLayout() {
    if (!restoreGeometry(preferences_.bytes(kGeometry))) resize(1280, 720);
    resetLayout();
    page_->restoreState(preferences_.bytes(kDocks));
}

void MainWindow::resetLayout() {
    page_->resetLayout(size());
    const QSignalBlocker unchosen(page_->numbersPanel());
    page_->numbersPanel()->setExpert(preferences_.expertNumbers().value_or(width() >= kExpertWindow));
    menu_->expertNumbers->setChecked(page_->numbersPanel()->isExpert());
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    rail_->setCompact(width() < kCompactRail);
    page_->adapt(size());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayQuit()) return event->ignore();
    setTheatre(false);
    preferences_.setBytes(kGeometry, saveGeometry());
    preferences_.setBytes(kDocks, page_->saveState());
    event->accept();
}

/// A video that is being made is never lost: it is finished first, or goes on with the next start.
bool MainWindow::mayQuit() {
    if (!run_.running() || run_.facts().stopping) return true;
    const QuitQuestion question = desk_.quitQuestion();
    QuitDialog dialog(theme_, question, this);
    if (!desktop_.askQuit) dialog.exec();
    const QuitAnswer answer = desktop_.askQuit ? desktop_.askQuit(question) : dialog.answer();
    quitWhenDone_ = answer == QuitAnswer::finishThenQuit;
    if (answer == QuitAnswer::continueLater) desk_.leaveForNextStart();
    if (!quitWhenDone_) return answer == QuitAnswer::continueLater;
    bridge_.holdQueue();
    tell(Severity::info, tr("Kinescope closes when this video is done."), {}, tr("Keep it open"), [this] {
        quitWhenDone_ = false;
        bridge_.releaseQueue();
        page_->notice()->hide();
    });
    return false;
}

void MainWindow::generate() {
    if (!request_.canRun()) return;
    desk_.generate(preferences_.outputFolder(), page_->requestPanel()->generateBar()->count());
}

void MainWindow::varySeed() {
    request_.rollSeed();
    generate();
}

void MainWindow::cure(CureAction action) {
    switch (action) {
        case CureAction::tryAgain:
        case CureAction::useOtherFormat:
            return generate();
        case CureAction::chooseFolder:
            return choosePath();
        case CureAction::useDefaultFolder:
            preferences_.setOutputFolder(Preferences::defaultOutputFolder());
            return generate();
        case CureAction::useSmallerSize:
            request_.useSmallerSize();
            return generate();
        case CureAction::useFewerFrames:
            request_.useFewerFrames();
            return generate();
        case CureAction::showLog:
            return page_->logDock()->show();
        case CureAction::close:
            return page_->previewPanel()->closeError();
    }
}

void MainWindow::follow(RunState state) {
    presentTitle();
    presentActions();
    if (isRunning(state) || state == RunState::paused) return;
    if (request_.request().seed == run_.facts().request.seed) request_.runEnded();  // others belong to another job
    status_->setOutputFolder(preferences_.outputFolder());
    bridge_.askDevices();
    if (state == RunState::done && !isActiveWindow()) QApplication::alert(this);
    history_.scan(preferences_.outputFolder());
    if (quitWhenDone_) close();
}

void MainWindow::presentTitle() {
    const QString name = tr("Kinescope");
    if (!run_.running()) return setWindowTitle(name);
    QString words = QString::fromStdString(run_.facts().request.prompt).simplified();
    if (words.size() > kTitleWords) words = words.left(kTitleWords - 1) + QStringLiteral("…");
    const auto done = run_.fractionDone();
    setWindowTitle(done ? tr("%1 % · %2 — %3").arg(static_cast<int>(*done * 100)).arg(words, name)
                        : tr("%1 — %2").arg(words, name));
}

void MainWindow::presentNotice() {
    if (preferences_.demoNoticeClosed() || request_.card().id != "builtin") return page_->notice()->hide();
    noticeCall_ = {};
    page_->notice()->setNotice(Severity::info, tr("Built-in demo model:"),
                               tr("small clips, made in seconds, nothing to download."), tr("Open model folder…"));
}

void MainWindow::presentActions() {
    const bool running = run_.running();
    const bool result = !resultFile().isEmpty();
    menu_->generate->setEnabled(request_.canRun());
    menu_->addToQueue->setEnabled(request_.canRun());
    menu_->pause->setEnabled(running || run_.state() == RunState::paused);
    menu_->varySeed->setEnabled(request_.canRun());
    menu_->lockSeed->setChecked(request_.seedMode() == SeedMode::locked);
    menu_->stop->setEnabled(running || run_.state() == RunState::paused);
    menu_->exportVideo->setEnabled(result && !running);
    menu_->saveFrame->setEnabled(page_->previewPanel()->player()->numFrames() > 0);
}

void MainWindow::open(const QString& file) {
    if (file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) return settingsDesk_->importPreset(file);
    request_.chooseModel(file.toStdString());
}

void MainWindow::choosePath() {
    const QString folder = desktop_.askFolder(tr("Folder for videos"), preferences_.outputFolder());
    if (folder.isEmpty()) return;
    preferences_.setOutputFolder(folder);
    status_->setOutputFolder(folder);
}

void MainWindow::chooseModelFolder() {
    const QString folder = desktop_.askFolder(tr("Folder of a video model"), QDir::homePath());
    if (!folder.isEmpty()) request_.chooseModel(folder.toStdString());
}

QString MainWindow::resultFile() const {
    const RunFacts& facts = run_.facts();
    if (facts.state == RunState::done) return pathText(facts.result.output);
    if (facts.state == RunState::stopped) return pathText(facts.cancelled.output);
    return {};
}

void MainWindow::showResult() {
    const QString file = resultFile();
    if (!file.isEmpty()) return desktop_.showInFolder(file);
    const QDir folder(preferences_.outputFolder());
    folder.mkpath(QStringLiteral("."));
    desktop_.showInFolder(folder.filePath(QStringLiteral(".")));
}

void MainWindow::exportVideo() {
    const QString from = resultFile();
    if (from.isEmpty()) return;
    const QString ending = QFileInfo(from).suffix();
    const QString to = desktop_.askSaveName(tr("Export video"), QDir::home().filePath(QFileInfo(from).fileName()),
                                            tr("Video (*.%1)").arg(ending));
    if (!to.isEmpty()) copyFile(from, to);
}

void MainWindow::exportNumbers(NumbersExport what) {
    const QString log = pathText(run_.facts().request.output.numeric_log);
    const QString stem = log.isEmpty() ? QStringLiteral("numbers") : QFileInfo(log).completeBaseName();
    const auto ask = [&](const QString& ending, const QString& filter) {
        return desktop_.askSaveName(tr("Export the numbers"), QDir::home().filePath(stem + ending), filter);
    };
    if (what == NumbersExport::picture) {
        const QString to = ask(QStringLiteral(".png"), tr("Picture (*.png)"));
        if (!to.isEmpty()) page_->numbersPanel()->picture().save(to, "PNG");
    } else if (what == NumbersExport::csv) {
        const QString to = ask(QStringLiteral(".csv"), tr("Table (*.csv)"));
        if (!to.isEmpty()) saveTable(log, to);
    } else {
        const QString to = ask(QStringLiteral(".jsonl"), tr("JSON Lines (*.jsonl)"));
        if (!to.isEmpty()) copyFile(log, to);
    }
}

void MainWindow::saveTable(const QString& log, const QString& to) {
    QFile source(log);
    QFile table(to);
    const bool ok = source.open(QIODevice::ReadOnly) && table.open(QIODevice::WriteOnly | QIODevice::Truncate) &&
                    table.write(csvOfLog(source.readAll())) >= 0;
    if (ok) return page_->notice()->setNotice(Severity::ok, tr("Exported"), QFileInfo(to).fileName());
    page_->notice()->setNotice(Severity::error, tr("Could not be exported:"),
                               source.isOpen() ? table.errorString() : source.errorString());
}

void MainWindow::saveFrame() {
    const QImage frame = page_->previewPanel()->player()->currentImage();
    if (frame.isNull()) return;
    const QString number = QString::number(page_->previewPanel()->player()->frame() + 1);
    const QString to = desktop_.askSaveName(
        tr("Save frame"), QDir::home().filePath(QStringLiteral("frame-%1.png").arg(number)), tr("Picture (*.png)"));
    if (!to.isEmpty() && !frame.save(to, "PNG")) {
        page_->notice()->setNotice(Severity::error, tr("The frame could not be saved"),
                                   folderText(QFileInfo(to).path()));
    }
}

void MainWindow::copyFile(const QString& from, const QString& to) {
    if (QFileInfo(from) == QFileInfo(to)) return;
    QFile::remove(to);  // the dialog has asked
    QFile source(from);
    if (source.copy(to)) return page_->notice()->setNotice(Severity::ok, tr("Exported"), QFileInfo(to).fileName());
    page_->notice()->setNotice(Severity::error, tr("Could not be exported:"), source.errorString());
}

void MainWindow::showNumbers() {
    page_->numbersDock()->show();
    page_->numbersPanel()->setFocus();
}

void MainWindow::setTheatre(bool on) {
    theatre_ = on;
    for (QWidget* part :
         {static_cast<QWidget*>(menuBar()), static_cast<QWidget*>(rail_), static_cast<QWidget*>(status_)})
        part->setVisible(!on);
    page_->setTheatre(on);
}

void MainWindow::showTheme(const QString& name) {
    const auto mode = name == QLatin1String("dark")            ? Theme::Mode::dark
                      : name == QLatin1String("light")         ? Theme::Mode::light
                      : name == QLatin1String("high contrast") ? Theme::Mode::highContrast
                                                               : Theme::Mode::system;
    theme_.setMode(mode);
    for (QAction* action : menu_->theme->actions()) action->setChecked(action->data().toString() == name);
}

}  // namespace kinescope::ui
