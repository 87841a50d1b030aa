#include "ui/windows/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScreen>
#include <QScrollArea>
#include <QStandardPaths>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/models/computer_list_model.h"
#include "ui/models/gpu_support_model.h"
#include "ui/models/media_files.h"
#include "ui/models/model_names.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/explore_form.h"
#include "ui/panels/explore_grid.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/numbers_panel.h"
#include "ui/panels/preview_panel.h"
#include "ui/panels/queue_panel.h"
#include "ui/panels/request_panel.h"
#include "ui/panels/run_panel.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/words.h"
#include "ui/widgets/combo_popups.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/language.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/plain_tool_tips.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"
#include "ui/windows/compare_page.h"
#include "ui/windows/computer_watch.h"
#include "ui/windows/create_page.h"
#include "ui/windows/doctor_page.h"
#include "ui/windows/edit_controller.h"
#include "ui/windows/engine_watch.h"
#include "ui/windows/explore_controller.h"
#include "ui/windows/explore_page.h"
#include "ui/windows/export_controller.h"
#include "ui/windows/file_controller.h"
#include "ui/windows/finish_controller.h"
#include "ui/windows/focus_ring.h"
#include "ui/windows/gpu_support_strip.h"
#include "ui/windows/help_controller.h"
#include "ui/windows/library_controller.h"
#include "ui/windows/library_page.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/models_page.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_end.h"
#include "ui/windows/quit_guard.h"
#include "ui/windows/request_controller.h"
#include "ui/windows/result_controller.h"
#include "ui/windows/settings_controller.h"
#include "ui/windows/status_line.h"
#include "ui/windows/study_pages.h"
#include "ui/windows/view_controller.h"
#include "ui/windows/waiting_jobs.h"
#include "ui/windows/window_drop.h"

namespace kinescope::ui {
namespace {

constexpr int kTitleWords = 48;  ///< maximum number of characters of the prompt in the window title

}  // namespace

MainWindow::MainWindow(Theme& theme, EngineBridge& bridge, QSettings& settings, Desktop desktop, QWidget* parent)
    : QMainWindow(parent),
      theme_(theme),
      bridge_(bridge),
      settings_(settings),
      preferences_(settings),
      desktop_(std::move(desktop)),
      request_(bridge),
      run_(bridge),
      numbers_(bridge, UsualPeaks::defaultFile()),
      queueController_(bridge, request_, run_, settings),
      history_(bridge, settings,
               QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/thumbnails"))),
      exploreModel_(queueController_.queue(), history_, ExploreModel::defaultFile()) {
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(smallestWindowSize(screen()->availableSize()));
    new WheelScroll(this);  // before the fields, because it acts when they are polished
    new ComboPopups(this);
    new PlainToolTips(this);
    buildFrame();
    buildMenu();
    buildControllers();
    addStudyPages();
    addExplorePage();
    addGpuStrips();
    addFocusRing();
    wireModels();
    wireRun();
    wireResults();
    wireQueue();
    wireLibrary();
    wireSettings();
    view_->restoreLayout();
    view_->restorePage();
    updateActions();
    queueController_.queue().setThumbnails(history_.thumbnails());
    bridge_.askModels();
    requests_->restoreForm();
    bridge_.askDevices();
}

MainWindow::~MainWindow() {
    delete takeCentralWidget();
    delete status_;
}

void MainWindow::buildFrame() {
    auto* center = new QWidget(this);
    rail_ = new NavRail(theme_, center);
    rail_->setObjectName(QStringLiteral("navigationRail"));
    pages_ = new PageStack;
    pages_->setObjectName(QStringLiteral("pageStack"));
    auto* area = new QScrollArea(center);  // for small screens and large text
    area->setObjectName(QStringLiteral("pageArea"));
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setWidget(pages_);
    page_ = new CreatePage(theme_, request_, run_, numbers_);
    rail_->addPage(QStringLiteral("create"), {})->setObjectName(QStringLiteral("createPageButton"));
    auto* gear = rail_->addCommand(QStringLiteral("gear"), {});
    gear->setObjectName(QStringLiteral("preferencesButton"));
    connect(gear, &QToolButton::clicked, this, [this] { menu_->preferences->trigger(); });
    rail_->setCurrentIndex(0);
    pages_->addWidget(page_);
    library_ = new LibraryPage(theme_, bridge_, queueController_.queue(), history_);
    rail_->addPage(QStringLiteral("library"), {})->setObjectName(QStringLiteral("libraryPageButton"));
    pages_->addWidget(library_);
    connect(rail_, &NavRail::currentChanged, pages_, &QStackedWidget::setCurrentIndex);
    auto* row = new QHBoxLayout(center);
    row->setContentsMargins(0, 8, 8, 0);
    row->setSpacing(0);
    row->addWidget(rail_);
    row->addWidget(area, 1);
    setCentralWidget(center);
    status_ = new StatusLine(theme_, numbers_, run_, this);
    status_->setOutputFolder(preferences_.outputFolder());
    setStatusBar(status_);
}

void MainWindow::buildMenu() {
    menu_ = new MainMenu(*this);
    const auto addKey = [this](QWidget* page, const char* text, Qt::Key key, const char* name) {
        auto* action = new QAction(this);
        menu_->addPage(action, text, QKeySequence(Qt::CTRL | key), name);
        connect(action, &QAction::triggered, rail_, [this, page] { showPage(page); });
    };
    addKey(page_, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "&Create"), Qt::Key_1, "actionCreate");
    addKey(library_, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "L&ibrary"), Qt::Key_2, "actionLibrary");
    menu_->addDock(page_->settingsDock()->toggleViewAction(), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "&Settings"),
                   QKeySequence(Qt::Key_F7), "actionSettings");
    menu_->addDock(page_->numbersDock()->toggleViewAction(), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "&Numbers"),
                   QKeySequence(Qt::Key_F8), "actionNumbers");
    menu_->addDock(page_->logDock()->toggleViewAction(), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "&Log"),
                   QKeySequence(Qt::Key_F9), "actionLog");
}

void MainWindow::buildControllers() {
    notices_ = new NoticeBoard(*page_->notice(), this);
    view_ = new ViewController(*this, {theme_, *menu_, *rail_, *page_, *status_, preferences_});
    requests_ = new RequestController({.request = request_,
                                       .controller = queueController_,
                                       .page = *page_,
                                       .menu = *menu_,
                                       .notices = *notices_,
                                       .desktop = desktop_,
                                       .preferences = preferences_},
                                      this);
    settingsController_ =
        new SettingsController(*this, preferences_, {theme_, bridge_, request_, *menu_, *notices_, desktop_});
    results_ = new ResultController({.run = run_,
                                     .player = *page_->previewPanel()->player(),
                                     .numbers = *page_->numbersPanel(),
                                     .notices = *notices_,
                                     .desktop = desktop_,
                                     .preferences = preferences_},
                                    this);
    exports_ = new ExportController({theme_, bridge_, desktop_}, preferences_, *this);
    finishes_ = new FinishController({theme_, bridge_, desktop_, preferences_}, *this);
    const auto showForm = [this] { showPage(page_); };
    files_ = new FileController({.bridge = bridge_,
                                 .request = request_,
                                 .controller = queueController_,
                                 .settings = *settingsController_,
                                 .menu = *menu_,
                                 .notices = *notices_,
                                 .desktop = desktop_,
                                 .preferences = preferences_,
                                 .showForm = showForm},
                                this);
    new LibraryController({.bridge = bridge_,
                           .page = *library_,
                           .controller = queueController_,
                           .request = request_,
                           .history = history_,
                           .notices = *notices_,
                           .desktop = desktop_,
                           .preferences = preferences_,
                           .showForm = showForm},
                          this);
    new EditController(*menu_, this);
    quitGuard_ = new QuitGuard(*this, {theme_, bridge_, run_, queueController_, *notices_, desktop_});
    new EngineWatch({bridge_, *notices_, *page_->logPanel(), [this] { page_->logDock()->show(); }}, this);
    new ComputerWatch({bridge_, run_, *notices_, settings_}, this);
    waitingJobs_ = new WaitingJobs(bridge_, *notices_, this);
    queueEnd_ = new QueueEnd(*this, {queueController_.queue(), *notices_, preferences_, showForm});
}

void MainWindow::addStudyPages() {
    studies_ = new StudyPages(theme_, bridge_, desktop_, {*rail_, *pages_, *menu_}, this);
    studies_->compare()->setHistory(history_);
    connect(&request_, &RequestModel::cardChanged, studies_->models(),
            [this] { studies_->models()->rememberOpened(QString::fromStdString(request_.card().id)); });
    connect(library_, &LibraryPage::compareRequested, this, &MainWindow::compareVideos);
    connect(menu_->compareWith, &QAction::triggered, this, &MainWindow::compareWith);
    new HelpController(*this, {.theme = theme_,
                               .menu = *menu_,
                               .bridge = bridge_,
                               .inspector = studies_->inspector(),
                               .run = run_,
                               .log = *page_->logPanel(),
                               .desktop = desktop_,
                               .preferences = preferences_});
    connect(page_->previewPanel(), &PreviewPanel::guardDemoRequested, menu_->seeGuardWork, &QAction::trigger);
    connect(files_, &FileController::folderListOpened, this, [this](const QString& file) {
        showPage(studies_->models());
        studies_->models()->addFolder(file);
    });
    connect(studies_->models(), &ModelsPage::modelsChanged, &bridge_, &EngineBridge::askModels);
    connect(studies_->models(), &ModelsPage::useRequested, this, [this](const QString& model) {
        request_.chooseModel(model.toStdString());
        showPage(page_);
    });
}

void MainWindow::addExplorePage() {
    explore_ = new ExplorePage(theme_, request_, exploreModel_, pages_);
    studies_->addPage(explore_, QStringLiteral("explore"), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Explore"),
                      QKeySequence(Qt::CTRL | Qt::Key_6));
    new ExploreController({.page = *explore_,
                           .model = exploreModel_,
                           .controller = queueController_,
                           .request = request_,
                           .notices = *notices_,
                           .desktop = desktop_,
                           .preferences = preferences_,
                           .showForm = [this] { showPage(page_); },
                           .showResults = [this] { showPage(explore_); }},
                          this);
    connect(&bridge_, &EngineBridge::orderRefused, &exploreModel_, &ExploreModel::stopAwaiting);
    for (QAction* action : {menu_->generate, menu_->addToQueue})
        connect(action, &QAction::triggered, this, &MainWindow::generate);
    connect(explore_->grid(), &ExploreGrid::exportRequested, exports_, &ExportController::exportVideo);
    connect(explore_->grid(), &ExploreGrid::compareRequested, this, &MainWindow::compareVideos);
}

/// Adds the notices about GPU support: on the Create page until the user closes it, and always on the Doctor page.
void MainWindow::addGpuStrips() {
    gpu_ = new GpuSupportModel(bridge_, this);
    auto* onCreate = new GpuSupportStrip(*page_->gpuStrip(), *gpu_, this);
    auto* onDoctor = new GpuSupportStrip(*studies_->doctor()->gpuStrip(), *gpu_, this);
    onCreate->setDeclinedCard(preferences_.declinedCard());
    connect(onCreate, &GpuSupportStrip::declined, this,
            [this](const QString& card) { preferences_.declineCard(card); });
    for (GpuSupportStrip* strip : {onCreate, onDoctor})
        connect(strip, &GpuSupportStrip::restartRequested, this, &MainWindow::restartRequested);
}

/// Lets F6 visit the parts of every page.
void MainWindow::addFocusRing() {
    new FocusRing(
        *this, {rail_, page_->notice(), page_->gpuStrip(), page_->requestPanel(), page_->previewPanel(),
                page_->runPanel(), page_->numbersPanel(), page_->logPanel(), library_->notice(), library_->queuePanel(),
                library_->historyPanel(), library_->detailsPanel(), studies_->compare(), studies_->models(),
                studies_->doctor(), explore_->form(), explore_->strip(), explore_->grid(), status_});
}

/// Shows the device that Auto selects in the status line.
void MainWindow::showDevices(const std::vector<DeviceInfo>& devices) {
    const auto usable = std::ranges::find_if(devices, [](const DeviceInfo& device) { return device.unusable.empty(); });
    if (usable != devices.end()) status_->setDevice(*usable);
    page_->previewPanel()->setDevices(devices);
}

/// Compares the current video with another one.
void MainWindow::compareWith() {
    const QString other = desktop_.askFile(tr("Compare With"), preferences_.outputFolder(),
                                           QStringLiteral("%1 (%2)").arg(tr("Videos"), videoFilter()));
    if (!other.isEmpty()) compareVideos(results_->file(), other);
}

void MainWindow::compareVideos(const QString& a, const QString& b) {
    showPage(studies_->compare());
    studies_->compare()->compare(a, b);
}

void MainWindow::showPage(QWidget* page) {
    rail_->setCurrentIndex(pages_->indexOf(page));
}

void MainWindow::wireModels() {
    connect(&request_, &RequestModel::requestChanged, this, &MainWindow::updateActions);
    connect(&bridge_, &EngineBridge::devicesFound, this, &MainWindow::showDevices);
    connect(menu_->quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::wireRun() {
    connect(&run_, &RunModel::stateChanged, this, &MainWindow::onRunStateChanged);
    connect(&run_, &RunModel::progressed, this, &MainWindow::updateTitle);
    connect(menu_->stop, &QAction::triggered, &run_, &RunModel::stop);
    RunPanel* card = page_->runPanel();
    connect(card, &RunPanel::stopRequested, &run_, &RunModel::stop);
    connect(card, &RunPanel::pauseRequested, &run_, &RunModel::pause);
    connect(card, &RunPanel::continueRequested, &run_, &RunModel::proceed);
    connect(card, &RunPanel::startOverRequested, &run_, &RunModel::startOver);
    connect(card, &RunPanel::decodeRequested, &run_, &RunModel::decodeNow);
    connect(card, &RunPanel::discardRequested, this, &MainWindow::askDiscard);
    connect(menu_->pause, &QAction::triggered, &run_,
            [this] { run_.state() == RunState::paused ? run_.proceed() : run_.pause(); });
    connect(card, &RunPanel::playRequested, page_->previewPanel()->player(), &FramePlayer::play);
}

void MainWindow::wireResults() {
    connect(page_->runPanel(), &RunPanel::showInFolderRequested, results_, &ResultController::show);
    const auto exportResult = [this] { exports_->exportVideo(results_->file()); };
    connect(page_->runPanel(), &RunPanel::exportRequested, this, exportResult);
    connect(page_->runPanel(), &RunPanel::continueVideoRequested, this,
            [this] { Q_EMIT library_->continueRequested(results_->file()); });
    connect(page_->runPanel(), &RunPanel::finishRequested, this, [this] { finishes_->finishVideo(results_->file()); });
    PreviewPanel* preview = page_->previewPanel();
    connect(preview, &PreviewPanel::saveFrameRequested, results_, &ResultController::saveFrame);
    connect(preview, &PreviewPanel::exportRequested, this, exportResult);
    connect(preview, &PreviewPanel::showInFolderRequested, results_, &ResultController::show);
    connect(preview, &PreviewPanel::compareRequested, this, &MainWindow::compareWith);
    connect(preview, &PreviewPanel::resultFramesNeeded, &bridge_, &EngineBridge::askFrames);
    connect(&bridge_, &EngineBridge::framesRead, preview, &PreviewPanel::showResult);
    connect(preview, &PreviewPanel::startImageChosen, this, [this](const QImage& frame) {
        files_->useStartImage(frame, QFileInfo(results_->file()).completeBaseName() + QStringLiteral("-frame"));
    });
    connect(page_->numbersPanel(), &NumbersPanel::exportRequested, results_, &ResultController::exportNumbers);
    connect(menu_->exportVideo, &QAction::triggered, this, [this] { exports_->exportVideo(videoToExport()); });
    connect(menu_->finishVideo, &QAction::triggered, this, [this] { finishes_->finishVideo(videoToExport()); });
    connect(menu_->saveFrame, &QAction::triggered, results_, &ResultController::saveFrame);
    connect(menu_->showOutputFolder, &QAction::triggered, results_, &ResultController::show);
}

void MainWindow::wireQueue() {
    connect(&ComputerListModel::of(bridge_), &ComputerListModel::ready, this, &MainWindow::offerRecovery);
    connect(&bridge_, &EngineBridge::engineReady, this, &MainWindow::deleteOldLogs);
    connect(&queueController_.queue(), &QueueModel::changed, this, &MainWindow::updateQueueCount);
    connect(&run_, &RunModel::stateChanged, this, &MainWindow::updateQueueCount);
    connect(status_, &StatusLine::queueRequested, this, [this] { showPage(library_); });
    auto* drop = new WindowDrop(theme_, *this, *pages_, [this] { return files_->offer(); });
    drop->passFilesOf(*page_->findChild<QPlainTextEdit*>(QStringLiteral("promptEdit"))->viewport());
    connect(drop, &WindowDrop::dropped, files_, &FileController::carryOut);
}

void MainWindow::wireLibrary() {
    connect(menu_->find, &QAction::triggered, this, [this] {
        showPage(library_);
        library_->historyPanel()->focusSearch();
    });
    connect(menu_->exportQueue, &QAction::triggered, this, [this] {
        showPage(library_);  // show the jobs that are exported
        Q_EMIT library_->queuePanel()->exportRequested();
    });
    connect(&request_, &RequestModel::cardChanged, library_,
            [this] { library_->historyPanel()->setModel(request_.card().id); });
    connect(rail_, &NavRail::currentChanged, this, [this](int page) {
        const QWidget* shown = pages_->widget(page);
        if (shown == library_ || shown == explore_ || shown == studies_->compare())
            history_.scan(preferences_.outputFolder());
        updateActions();
    });
    // Jobs of other computers end beside the one that is shown.
    connect(&queueController_.queue(), &QueueModel::jobFinished, this, [this](const Job& job) {
        if (job.id != run_.facts().job) history_.scan(preferences_.outputFolder());
    });
    connect(library_, &LibraryPage::selectionChanged, this, &MainWindow::updateActions);
    connect(library_, &LibraryPage::exportRequested, exports_, &ExportController::exportVideo);
    connect(library_, &LibraryPage::finishRequested, finishes_, &FinishController::finishVideo);
}

void MainWindow::offerRecovery() {
    const auto facts = queueController_.interrupted();
    if (!facts) return waitingJobs_->offer();
    auto* dialog = new RecoveryDialog(theme_, *facts, ModelNames::of(bridge_), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::finished, this, [this, dialog, facts = *facts] {
        queueController_.answerRecovery(facts, dialog->answer(), dialog->mode());
        waitingJobs_->offer();
    });
    dialog->open();
}

void MainWindow::wireSettings() {
    RequestPanel* panel = page_->requestPanel();
    connect(panel, &RequestPanel::savePresetRequested, settingsController_, &SettingsController::savePresetAs);
    connect(panel, &RequestPanel::importPresetRequested, settingsController_,
            qOverload<>(&SettingsController::importPreset));
    connect(panel, &RequestPanel::exportPresetRequested, settingsController_, &SettingsController::exportPreset);
    connect(panel, &RequestPanel::deletePresetRequested, settingsController_, &SettingsController::deletePreset);
    connect(settingsController_, &SettingsController::applied, this, [this] {
        view_->showTheme(preferences_.theme());
        updateOutputFolder();
    });
    connect(requests_, &RequestController::outputFolderChanged, this, &MainWindow::updateOutputFolder);
    settingsController_->apply();
    inEveryLanguage(this, [this] { retranslate(); });
}

/// Shows the output folder, and its videos if those of another folder were listed before.
void MainWindow::updateOutputFolder() {
    const QString folder = preferences_.outputFolder();
    status_->setOutputFolder(folder);
    if (!history_.folder().isEmpty() && history_.folder() != folder) history_.scan(folder);
}

void MainWindow::retranslate() {
    rail_->setPageText(0, tr("Create"));
    rail_->setPageText(1, tr("Library"));
    rail_->setCommandText(0, tr("Preferences"));
    numbers_.retranslate();
    updateTitle();
    notices_->clearAll();  // notices in the previous language
    requests_->updateDemoNotice();
    for (QWidget* painted : findChildren<QWidget*>()) painted->update();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (view_) view_->adapt();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!quitGuard_->mayQuit()) return event->ignore();
    view_->saveLayout();
    requests_->saveForm();
    event->accept();
}

void MainWindow::onRunStateChanged(RunState state) {
    updateTitle();
    updateActions();
    if (isRunning(state) || state == RunState::paused) return;
    if (state == RunState::failed) request_.releaseSeed();
    if (state == RunState::done) request_.planAgain();
    status_->setOutputFolder(preferences_.outputFolder());
    bridge_.askDevices();
    if (state == RunState::done && !isActiveWindow()) QApplication::alert(this);
    history_.scan(preferences_.outputFolder());
    deleteOldLogs();
}

void MainWindow::deleteOldLogs() {
    QSet<QString> inUse;
    for (const Job& job : bridge_.jobs())
        if (!is_over(job.state)) inUse.insert(pathText(job.request.output.numeric_log));
    ui::deleteOldLogs(preferences_.logLimits(), inUse);
}

void MainWindow::updateTitle() {
    const QString name = tr("Kinescope");
    if (!run_.running()) return setWindowTitle(name);
    const QString words = cutText(jobName(run_.facts().request, ModelNames::of(bridge_)), kTitleWords);
    const auto done = run_.fractionDone();
    setWindowTitle(done ? tr("%1 % · %2 — %3").arg(static_cast<int>(*done * 100)).arg(words, name)
                        : tr("%1 — %2").arg(words, name));
}

/// Updates the number of waiting jobs. The active job does not count; its id is known only after it has started.
void MainWindow::updateQueueCount() {
    const int row = queueController_.queue().rowOf(run_.facts().job);
    const bool on_stage = row >= 0 && !is_over(queueController_.queue().job(row).state);
    status_->setQueue(queueController_.queue().numOpen() - (on_stage ? 1 : 0), queueController_.queue().numFailed());
}

void MainWindow::generate() {
    explore_->isVisible() ? explore_->form()->start() : requests_->generate();
}

/// Discarded steps are lost, so the user confirms it.
void MainWindow::askDiscard() {
    const JobId job = run_.facts().job;
    notices_->show({.topic = NoticeTopic::queue,
                    .severity = Severity::warning,
                    .lead = tr("Discard %Ln finished steps?", nullptr, run_.facts().keptSteps),
                    .text = tr("They can't be continued or decoded afterwards."),
                    .action = tr("Discard"),
                    .call = [this, job] {
                        if (run_.facts().job == job) run_.discard();
                        notices_->clear(NoticeTopic::queue);
                    }});
    notices_->focusAction();
}

void MainWindow::updateActions() {
    const bool running = run_.running();
    const bool result = !results_->file().isEmpty();
    menu_->generate->setEnabled(request_.canRun());
    menu_->addToQueue->setEnabled(request_.canRun());
    menu_->pause->setEnabled(running || run_.state() == RunState::paused);
    menu_->varySeed->setEnabled(request_.canRun());
    menu_->lockSeed->setChecked(request_.seedMode() == SeedMode::locked);
    menu_->stop->setEnabled(running || run_.state() == RunState::paused);
    menu_->exportVideo->setEnabled(!videoToExport().isEmpty());
    menu_->compareWith->setEnabled(result && !running);
    menu_->saveFrame->setEnabled(page_->previewPanel()->player()->numFrames() > 0);
}

/// Returns the selected video of the Library or, on any other page, the result of the run.
QString MainWindow::videoToExport() const {
    if (pages_->currentWidget() == library_) return library_->currentVideo();
    return run_.running() ? QString() : results_->file();
}

void MainWindow::open(const QString& file) {
    files_->open(file);
}

void MainWindow::resetLayout() {
    view_->resetLayout();
}

void MainWindow::showTheme(const QString& name) {
    view_->showTheme(name);
}

}  // namespace kinescope::ui
