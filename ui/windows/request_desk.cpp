#include "ui/windows/request_desk.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <utility>

#include "ui/models/request_model.h"
#include "ui/panels/generate_bar.h"
#include "ui/panels/preview_panel.h"
#include "ui/panels/prompt_fields.h"
#include "ui/panels/request_panel.h"
#include "ui/windows/create_page.h"
#include "ui/windows/desktop.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_desk.h"
#include "ui/windows/status_line.h"

namespace kinescope::ui {

RequestDesk::RequestDesk(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    wireForm();
    wireNotices();
    GenerateBar* bar = parts_.page.requestPanel()->generateBar();
    connect(bar, &GenerateBar::queueWanted, this, &RequestDesk::generate);
    connect(&parts_.desk, &QueueDesk::editingChanged, bar, &GenerateBar::setEditingJob);
    connect(parts_.menu.generate, &QAction::triggered, this, &RequestDesk::generate);
    connect(parts_.menu.addToQueue, &QAction::triggered, this, &RequestDesk::generate);
    connect(parts_.menu.varySeed, &QAction::triggered, this, &RequestDesk::varySeed);
    connect(parts_.page.previewPanel(), &PreviewPanel::cureChosen, this, &RequestDesk::cure);
}

void RequestDesk::wireForm() {
    RequestPanel* panel = parts_.page.requestPanel();
    connect(panel, &RequestPanel::generateWanted, this, &RequestDesk::generate);
    connect(panel, &RequestPanel::modelFolderWanted, this, &RequestDesk::chooseModelFolder);
    connect(&parts_.request, &RequestModel::cardChanged, this,
            [this] { parts_.preferences.setModel(QString::fromStdString(parts_.request.card().id)); });
    connect(&parts_.request, &RequestModel::requestChanged, this, &RequestDesk::focusPromptOnce);
    connect(parts_.menu.lockSeed, &QAction::triggered, this,
            [this](bool locked) { parts_.request.setSeedMode(locked ? SeedMode::locked : SeedMode::newEachRun); });
    connect(parts_.menu.newRequest, &QAction::triggered, this, [this] {
        parts_.request.startAnew();
        parts_.page.requestPanel()->promptFields()->focusAndSelect();
    });
    connect(parts_.menu.openModel, &QAction::triggered, this, &RequestDesk::chooseModelFolder);
    connect(parts_.menu.chooseOutputFolder, &QAction::triggered, this, &RequestDesk::chooseOutputFolder);
}

void RequestDesk::wireNotices() {
    connect(&parts_.notices, &NoticeBoard::dismissed, this, [this](NoticeTopic topic) {
        if (topic != NoticeTopic::demo) return;
        parts_.preferences.closeDemoNotice();
        presentDemoNotice();
    });
    connect(&parts_.request, &RequestModel::cardChanged, this, [this] {
        parts_.notices.settle(NoticeTopic::model);
        presentDemoNotice();
    });
    connect(&parts_.request, &RequestModel::cardRefused, this, &RequestDesk::tellModelFault);
    connect(&parts_.request, &RequestModel::planChanged, this, &RequestDesk::presentModelFault);
}

/// At the first start the words are there to be typed over.
void RequestDesk::focusPromptOnce() {
    if (!parts_.request.hasCard() || std::exchange(promptFocused_, true)) return;
    parts_.page.requestPanel()->promptFields()->focusAndSelect();
}

void RequestDesk::generate() {
    if (!parts_.request.canRun()) return;
    parts_.notices.settleAll();
    parts_.desk.generate(parts_.preferences.outputFolder(), parts_.page.requestPanel()->generateBar()->count());
}

void RequestDesk::varySeed() {
    parts_.request.rollSeed();
    generate();
}

void RequestDesk::cure(CureAction action) {
    switch (action) {
        case CureAction::tryAgain:
            if (parts_.desk.continueFailed()) return;
            break;
        case CureAction::useOtherFormat:
            useH264();
            break;
        case CureAction::useGuard:
            useGuard();
            break;
        case CureAction::useDefaultFolder:
            parts_.preferences.setOutputFolder(Preferences::defaultOutputFolder());
            break;
        case CureAction::useSmallerSize:
            parts_.request.useSmallerSize();
            break;
        case CureAction::useFewerFrames:
            parts_.request.useFewerFrames();
            break;
        case CureAction::chooseFolder:
            return chooseOutputFolder();
        case CureAction::showLog:
            return parts_.page.logDock()->show();
        case CureAction::close:
            return parts_.page.previewPanel()->closeError();
    }
    if (parts_.request.canRun()) parts_.desk.replaceFailed();
    generate();
}

void RequestDesk::useH264() {
    parts_.preferences.reset(setting::kFormat);
    parts_.request.setRules(parts_.preferences.rules());
}

void RequestDesk::useGuard() {
    parts_.preferences.reset(setting::kGuard);
    parts_.request.setRules(parts_.preferences.rules());
}

void RequestDesk::presentDemoNotice() {
    const bool demo = parts_.request.hasCard() && parts_.request.card().id == "builtin";
    if (!demo || parts_.preferences.demoNoticeClosed()) return parts_.notices.setStanding({});
    parts_.notices.setStanding(Notice{NoticeTopic::demo, Severity::info, tr("Built-in demo model:"),
                                      tr("small clips, made in seconds, nothing to download."),
                                      tr("Open model folder…"), [this] { chooseModelFolder(); }});
}

void RequestDesk::presentModelFault() {
    const Error* fault = parts_.request.modelFault();
    if (!fault) return parts_.notices.settle(NoticeTopic::model);
    tellModelFault(*fault);
    parts_.page.previewPanel()->closeError();  // it was of another model
}

void RequestDesk::tellModelFault(const Error& error) {
    const ErrorText text = errorText(error);
    parts_.notices.say({.topic = NoticeTopic::model,
                        .severity = Severity::error,
                        .lead = text.title + QLatin1Char('.'),
                        .words = text.sentence,
                        .detail = text.detail});
}

void RequestDesk::chooseOutputFolder() {
    const QString folder = parts_.desktop.askFolder(tr("Folder for videos"), parts_.preferences.outputFolder());
    if (folder.isEmpty()) return;
    parts_.preferences.setOutputFolder(folder);
    parts_.status.setOutputFolder(folder);
}

void RequestDesk::chooseModelFolder() {
    const QString folder = parts_.desktop.askFolder(tr("Folder of a video model"), QDir::homePath());
    if (!folder.isEmpty()) parts_.request.chooseModel(folder.toStdString());
}

}  // namespace kinescope::ui
