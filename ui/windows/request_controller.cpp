#include "ui/windows/request_controller.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <algorithm>
#include <chrono>
#include <utility>

#include "core/api/video_request_json.h"
#include "ui/models/lora_files.h"
#include "ui/models/preset_model.h"
#include "ui/models/request_model.h"
#include "ui/panels/generate_bar.h"
#include "ui/panels/preview_panel.h"
#include "ui/panels/prompt_fields.h"
#include "ui/panels/request_panel.h"
#include "ui/text/words.h"
#include "ui/windows/create_page.h"
#include "ui/windows/desktop.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_controller.h"

namespace kinescope::ui {
namespace {

/// Delay that avoids writing the settings at each keystroke.
constexpr std::chrono::seconds kSaveDelay{1};

}  // namespace

RequestController::RequestController(const Parts& parts, QObject* parent)
    : QObject(parent), parts_(parts), lastForm_(parts.request), droppedSettings_(parts.request) {
    saveTimer_.setSingleShot(true);
    saveTimer_.setInterval(kSaveDelay);
    connect(&saveTimer_, &QTimer::timeout, this, &RequestController::saveForm);
    connect(&parts_.request, &RequestModel::requestChanged, &saveTimer_, qOverload<>(&QTimer::start));
    wireForm();
    wireNotices();
    GenerateBar* bar = parts_.page.requestPanel()->generateBar();
    connect(bar, &GenerateBar::queueRequested, this, &RequestController::generate);
    connect(&parts_.controller, &QueueController::editingChanged, bar, &GenerateBar::setEditingJob);
    connect(parts_.menu.varySeed, &QAction::triggered, this, &RequestController::varySeed);
    connect(parts_.page.previewPanel(), &PreviewPanel::fixChosen, this, &RequestController::applyFix);
}

void RequestController::wireForm() {
    RequestPanel* panel = parts_.page.requestPanel();
    connect(panel, &RequestPanel::generateRequested, this, &RequestController::generate);
    connect(panel, &RequestPanel::modelFolderRequested, this, &RequestController::chooseModelFolder);
    connect(&parts_.request, &RequestModel::cardChanged, this, &RequestController::onCardChanged);
    connect(&parts_.request, &RequestModel::modelsChanged, this, &RequestController::selectMissedModel);
    connect(&parts_.request, &RequestModel::requestChanged, this, &RequestController::focusPromptOnce);
    connect(parts_.menu.lockSeed, &QAction::triggered, this,
            [this](bool locked) { parts_.request.setSeedMode(locked ? SeedMode::locked : SeedMode::newEachRun); });
    connect(parts_.menu.newRequest, &QAction::triggered, this, &RequestController::startNew);
    connect(parts_.menu.openModel, &QAction::triggered, this, &RequestController::chooseModelFolder);
    connect(parts_.menu.chooseOutputFolder, &QAction::triggered, this, &RequestController::chooseOutputFolder);
}

void RequestController::wireNotices() {
    connect(&parts_.notices, &NoticeBoard::dismissed, this, [this](NoticeTopic topic) {
        if (topic != NoticeTopic::demo) return;
        parts_.preferences.closeDemoNotice();
        updateDemoNotice();
    });
    connect(&parts_.request, &RequestModel::cardChanged, this, [this] {
        // The model that replaces a refused one can arrive shortly before or after the refusal.
        QMetaObject::invokeMethod(
            this, [this] { isStarting_ = false; }, Qt::QueuedConnection);
        parts_.notices.clear(NoticeTopic::model);
        updateDemoNotice();
        showLastModelError();
    });
    connect(&parts_.request, &RequestModel::settingsDropped, this, &RequestController::offerDroppedSettings);
    connect(&parts_.request, &RequestModel::cardRefused, this, &RequestController::refuseModel);
    connect(&parts_.request, &RequestModel::planChanged, this, &RequestController::updateModelFault);
}

/// Selects the text of an example prompt, so that typing replaces it. Does not select a restored prompt.
void RequestController::focusPromptOnce() {
    if (!parts_.request.hasCard() || std::exchange(promptFocused_, true)) return;
    PromptFields* prompt = parts_.page.requestPanel()->promptFields();
    parts_.preferences.form().isEmpty() ? prompt->focusAndSelect() : prompt->focusPrompt();
}

void RequestController::restoreForm() {
    const QString model = parts_.preferences.model();
    const QString form = parts_.preferences.form();
    const QString preset = parts_.preferences.preset();
    isStarting_ = true;
    lastSession_ = {.model = model.toStdString(), .form = {}};
    try {
        if (form.isEmpty()) return parts_.request.chooseModel(model.toStdString());
        VideoRequest request;
        // Leaves out what this version does not know.
        read_request(parse_request_object(form.toStdString()), {}, request);
        if (parts_.preferences.seedLocked())
            parts_.request.setSeedMode(SeedMode::locked);
        else
            request.seed = parts_.request.request().seed;
        connect(&lastForm_, &SettingsRestorer::restored, this, [this, preset](const QString& missingModel) {
            parts_.request.presets().setChosen(missingModel.isEmpty() ? preset : QStringLiteral("auto"));
            parts_.request.setRules(parts_.preferences.rules());
            noteReplacement();
        });
        request.model = model.toStdString();
        lastSession_.form = request;
        lastForm_.restore(request);
    } catch (const Error&) {
        parts_.request.chooseModel(model.toStdString());  // because the stored form may be damaged
    }
}

void RequestController::saveForm() {
    saveTimer_.stop();
    if (!parts_.request.hasCard() || isStarting_ || showsReplacement()) return;
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

void RequestController::generate() {
    if (!parts_.controller.canGenerate()) return;
    if (std::exchange(missed_, std::nullopt)) onCardChanged();  // the user uses the replacement
    parts_.notices.clearAll();
    parts_.controller.generate(parts_.preferences.outputFolder(), parts_.page.requestPanel()->generateBar()->count());
}

void RequestController::startNew() {
    parts_.controller.stopEditing();
    const VideoRequest before = parts_.request.request();
    parts_.request.resetToDefaults();
    parts_.page.requestPanel()->promptFields()->focusAndSelect();
    if (parts_.request.request() == before) return;
    parts_.controller.restorer().remember(before);
    parts_.notices.show({.topic = NoticeTopic::settings,
                         .severity = Severity::info,
                         .lead = tr("New request."),
                         .text = tr("Prompt, inputs and settings were reset."),
                         .action = tr("Undo"),
                         .call = [this] { parts_.controller.undoRestore(); },
                         .detail = {}});
}

/// Makes another video, also while a job is edited.
void RequestController::varySeed() {
    parts_.controller.stopEditing();
    parts_.request.rollSeed();
    generate();
}

void RequestController::applyFix(FixAction action) {
    switch (action) {
        case FixAction::tryAgain:
            if (parts_.controller.continueFailed()) return;
            break;
        case FixAction::useOtherFormat:
            useH264();
            break;
        case FixAction::useGuard:
            useGuard();
            break;
        case FixAction::useDefaultFolder:
            setOutputFolder(Preferences::defaultOutputFolder());
            break;
        case FixAction::useSmallerSize:
            parts_.request.useSmallerSize();
            break;
        case FixAction::useFewerFrames:
            parts_.request.useFewerFrames();
            break;
        case FixAction::chooseFolder:
            return chooseOutputFolder();
        case FixAction::showLog:
            return parts_.page.logDock()->show();
        case FixAction::close:
            return parts_.page.previewPanel()->closeError();
    }
    if (parts_.request.canRun()) parts_.controller.replaceFailed();
    generate();
}

void RequestController::useH264() {
    parts_.preferences.reset(setting::kFormat);
    parts_.request.setRules(parts_.preferences.rules());
}

void RequestController::useGuard() {
    parts_.preferences.reset(setting::kGuard);
    parts_.request.setRules(parts_.preferences.rules());
}

void RequestController::updateDemoNotice() {
    const bool demo = parts_.request.hasCard() && parts_.request.card().id == kBuiltinModel;
    if (!demo || parts_.preferences.demoNoticeClosed()) return parts_.notices.setStanding({});
    parts_.notices.setStanding(Notice{NoticeTopic::demo, Severity::info, tr("Built-in demo model:"),
                                      tr("generates small clips in seconds, no download needed."),
                                      tr("Open model folder…"), [this] { chooseModelFolder(); }});
}

void RequestController::offerDroppedSettings(const VideoRequest& before) {
    parts_.notices.show(
        {.topic = NoticeTopic::settings,
         .severity = Severity::info,
         .lead = tr("Settings reset."),
         .text = tr("%1 starts with its own size, length and quality.", "model").arg(modelName(parts_.request.card())),
         .action = tr("Undo"),
         .call = [this, before] {
             parts_.notices.clear(NoticeTopic::settings);
             droppedSettings_.restore(before);
         }});
}

void RequestController::updateModelFault() {
    const Error* fault = parts_.request.modelFault();
    if (!fault) return parts_.notices.clear(NoticeTopic::model);
    showModelFault(*fault);
    parts_.page.previewPanel()->closeError();  // the error belongs to the previous model
}

void RequestController::showModelFault(const Error& error) {
    const ErrorText text = errorText(error);
    Notice notice{.topic = NoticeTopic::model,
                  .severity = Severity::error,
                  .lead = text.title + QLatin1Char('.'),
                  .text = text.sentence,
                  .detail = text.detail};
    const std::filesystem::path file = error.argument("path");
    if (isLoraAsModel(error) && parts_.request.hasCard()) {
        notice.severity = Severity::info;
        notice.action = tr("Add it to %1", "model").arg(modelName(parts_.request.card()));
        notice.call = [this, file] {
            parts_.notices.clear(NoticeTopic::model);
            parts_.request.edit([&](VideoRequest& request) { addLora(request, file); });
        };
    } else if (hasLora(parts_.request.request(), file)) {
        notice.action = tr("Remove the LoRA");
        notice.call = [this, file] {
            parts_.notices.clear(NoticeTopic::model);
            parts_.request.edit([&](VideoRequest& request) { removeLora(request, file); });
        };
    }
    parts_.notices.show(notice);
}

void RequestController::refuseModel(const Error& error) {
    if (!std::exchange(isStarting_, false)) return showModelFault(error);
    refused_ = error;
    missed_ = {.session = lastSession_, .shown = {}};
    parts_.preferences.setModel(QString::fromStdString(lastSession_.model));
    noteReplacement();
    showLastModelError();
}

/// Remembers the model for the next session. The first change after a refusal is the replacement, the second one is the
/// user's choice.
void RequestController::onCardChanged() {
    if (missed_ && !missed_->isReplaced) return noteReplacement();
    missed_.reset();
    parts_.preferences.setModel(QString::fromStdString(parts_.request.card().id));
}

void RequestController::noteReplacement() {
    if (!missed_) return;
    missed_->shown = parts_.request.request();
    missed_->isReplaced = parts_.request.hasCard();
}

/// Returns true while the last used model is missed and the user has not changed the form.
bool RequestController::showsReplacement() const {
    return missed_ && missed_->shown == parts_.request.request();
}

/// Restores the form of the last session, but only its model if the user has changed the form since.
void RequestController::selectMissedModel() {
    const auto isMissed = [this](const ModelCard& card) {
        return card.id == missed_->session.model && !card.family.empty();
    };
    if (!missed_ || std::ranges::none_of(parts_.request.models(), isMissed)) return;
    const bool isUnchanged = showsReplacement();
    const LastSession session = std::exchange(missed_, std::nullopt)->session;
    parts_.notices.clear(NoticeTopic::file);
    isUnchanged&& session.form ? lastForm_.restore(*session.form) : parts_.request.chooseModel(session.model);
}

/// Shows a warning that the last used model can't be opened. It is not an error, because another model is ready to use.
void RequestController::showLastModelError() {
    if (!refused_ || !parts_.request.hasCard()) return;
    const ErrorText text = errorText(*std::exchange(refused_, std::nullopt));
    parts_.notices.show(
        {.topic = NoticeTopic::file,  // stays until dismissed, even when the replacement model has a plan
         .severity = Severity::warning,
         .lead = tr("Can't open the last used model."),
         .text = tr("%1 %2 is used instead.", "error, model").arg(text.sentence, modelName(parts_.request.card())),
         .action = tr("Open model folder…"),
         .call = [this] { chooseModelFolder(); },
         .detail = text.detail});
}

void RequestController::chooseOutputFolder() {
    const QString folder = parts_.desktop.askFolder(tr("Choose Output Folder"), parts_.preferences.outputFolder());
    if (!folder.isEmpty()) setOutputFolder(folder);
}

void RequestController::setOutputFolder(const QString& folder) {
    parts_.preferences.setOutputFolder(folder);
    Q_EMIT outputFolderChanged();
}

void RequestController::chooseModelFolder() {
    const QString folder = parts_.desktop.askFolder(tr("Open Model Folder"), QDir::homePath());
    if (!folder.isEmpty()) parts_.request.chooseModel(folder.toStdString());
}

}  // namespace kinescope::ui
