#include "ui/windows/request_desk.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <chrono>
#include <utility>

#include "ui/models/preset_model.h"
#include "ui/models/request_model.h"
#include "ui/models/words.h"
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
namespace {

/// Typing does not write the settings at each letter.
constexpr std::chrono::seconds kSaveDelay{1};

}  // namespace

RequestDesk::RequestDesk(const Parts& parts, QObject* parent)
    : QObject(parent), parts_(parts), lastForm_(parts.request) {
    saveTimer_.setSingleShot(true);
    saveTimer_.setInterval(kSaveDelay);
    connect(&saveTimer_, &QTimer::timeout, this, &RequestDesk::saveForm);
    connect(&parts_.request, &RequestModel::requestChanged, &saveTimer_, qOverload<>(&QTimer::start));
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
        // A model that replaces the refused one arrives just before the refusal, or after it.
        QMetaObject::invokeMethod(
            this, [this] { isStarting_ = false; }, Qt::QueuedConnection);
        parts_.notices.settle(NoticeTopic::model);
        presentDemoNotice();
        tellLastModelRefused();
    });
    connect(&parts_.request, &RequestModel::cardRefused, this, &RequestDesk::refuseModel);
    connect(&parts_.request, &RequestModel::planChanged, this, &RequestDesk::presentModelFault);
}

/// An example prompt is selected, to be typed over; the prompt of the last session is not.
void RequestDesk::focusPromptOnce() {
    if (!parts_.request.hasCard() || std::exchange(promptFocused_, true)) return;
    PromptFields* prompt = parts_.page.requestPanel()->promptFields();
    parts_.preferences.form().isEmpty() ? prompt->focusAndSelect() : prompt->focusPrompt();
}

void RequestDesk::restoreForm() {
    const QString model = parts_.preferences.model();
    const QString form = parts_.preferences.form();
    const QString preset = parts_.preferences.preset();
    isStarting_ = true;
    try {
        if (form.isEmpty()) return parts_.request.chooseModel(model.toStdString());
        VideoRequest request = parse_request(form.toStdString());
        if (parts_.preferences.seedLocked())
            parts_.request.setSeedMode(SeedMode::locked);
        else
            request.seed = parts_.request.request().seed;
        connect(&lastForm_, &SettingsRestorer::restored, this, [this, preset](const QString& missing) {
            parts_.request.presets().setChosen(missing.isEmpty() ? preset : QStringLiteral("auto"));
            parts_.request.setRules(parts_.preferences.rules());
        });
        request.model = model.toStdString();
        lastForm_.restore(request);
    } catch (const Error&) {
        parts_.request.chooseModel(model.toStdString());  // written by another version
    }
}

void RequestDesk::saveForm() {
    saveTimer_.stop();
    if (!parts_.request.hasCard() || isStarting_) return;
    VideoRequest form = parts_.request.request();
    form.output = {};
    const PresetModel& presets = parts_.request.presets();
    const PresetInfo* chosen = presets.chosen();
    parts_.preferences.setForm(QString::fromStdString(to_json(form)));
    parts_.preferences.setSeedLocked(parts_.request.seedMode() == SeedMode::locked);
    parts_.preferences.setPreset(presets.isAutomatic() ? QStringLiteral("auto")
                                 : chosen              ? QString::fromStdString(chosen->name)
                                                       : QString());
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

void RequestDesk::refuseModel(const Error& error) {
    if (!std::exchange(isStarting_, false)) return tellModelFault(error);
    refused_ = error;
    tellLastModelRefused();
}

/// Shows a notice, not an error, if the last model is unavailable: another model is ready to use.
void RequestDesk::tellLastModelRefused() {
    if (!refused_ || !parts_.request.hasCard()) return;
    const ErrorText text = errorText(*std::exchange(refused_, std::nullopt));
    parts_.notices.say(
        {.topic = NoticeTopic::file,  // a plan of the replacement model does not clear it
         .severity = Severity::warning,
         .lead = tr("The last model cannot be opened."),
         .words =
             tr("%1 %2 is used instead.", "what is wrong, model").arg(text.sentence, modelName(parts_.request.card())),
         .action = tr("Open model folder…"),
         .call = [this] { chooseModelFolder(); },
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
