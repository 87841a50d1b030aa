#include "ui/windows/library_controller.h"

#include <QDir>

#include "ui/models/computer_list_model.h"
#include "ui/models/history_model.h"
#include "ui/models/in_pool.h"
#include "ui/models/model_names.h"
#include "ui/models/queue_model.h"
#include "ui/models/request_model.h"
#include "ui/models/save_file.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/queue_panel.h"
#include "ui/text/computer_words.h"
#include "ui/text/error_catalog.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/text_lines.h"
#include "ui/windows/desktop.h"
#include "ui/windows/library_page.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_controller.h"

namespace kinescope::ui {
namespace {

constexpr int kNameShown = 40;  ///< characters

}  // namespace

LibraryController::LibraryController(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    wireQueue();
    wireHistory();
    wireEditing();
    connect(&parts_.controller, &QueueController::confirmed, this, [this](const QString& lead, const QString& words) {
        parts_.notices.show({NoticeTopic::queue, Severity::ok, lead, words, {}, {}});
    });
    connect(&parts_.controller, &QueueController::failed, this, [this](const QString& lead, const QString& words) {
        parts_.notices.show({NoticeTopic::queue, Severity::error, lead, words, {}, {}});
    });
    connect(&parts_.controller, &QueueController::jobFailed, this, &LibraryController::showFailure);
    connect(&parts_.controller.restorer(), &SettingsRestorer::restored, this, &LibraryController::showRestored);
    connect(&parts_.controller.restorer(), &SettingsRestorer::unanswered, this, &LibraryController::showUnanswered);
}

void LibraryController::wireQueue() {
    QueuePanel* queue = parts_.page.queuePanel();
    connect(queue, &QueuePanel::editRequested, this, [this](const Job& job) {
        parts_.showForm();
        parts_.controller.edit(job);
    });
    connect(queue, &QueuePanel::duplicateRequested, this,
            [this](const Job& job) { parts_.controller.vary(job.request, parts_.preferences.outputFolder(), 1); });
    connect(queue, &QueuePanel::useSettingsRequested, this, [this](const Job& job) {
        parts_.showForm();
        parts_.controller.restore(job.request);
    });
    connect(queue, &QueuePanel::exportRequested, this, &LibraryController::exportQueue);
    queue->setWhenDone(parts_.preferences.value(setting::kWhenQueueDone).toString());
    connect(queue, &QueuePanel::whenDoneChosen, this,
            [this](const QString& what) { parts_.preferences.set(setting::kWhenQueueDone, what); });
    HistoryPanel* history = parts_.page.historyPanel();
    const bool asList = parts_.preferences.value(setting::kHistoryAsList).toBool();
    history->setViewMode(asList ? HistoryViewMode::list : HistoryViewMode::grid);
    connect(history, &HistoryPanel::viewModeChanged, this, [this](HistoryViewMode mode) {
        parts_.preferences.set(setting::kHistoryAsList, mode == HistoryViewMode::list);
    });
}

/// Only the notice says that a job is edited. Without it, the form is that of a new video.
void LibraryController::wireEditing() {
    connect(&parts_.notices, &NoticeBoard::dismissed, this, [this](NoticeTopic topic) {
        if (topic == NoticeTopic::editing) parts_.controller.stopEditing();
    });
    connect(&parts_.controller, &QueueController::editingChanged, this, [this](bool editing) {
        if (!editing) parts_.notices.clear(NoticeTopic::editing);
    });
    connect(&parts_.controller, &QueueController::editedJobLost, this, [this] {
        parts_.notices.show({NoticeTopic::settings, Severity::info, tr("The edited job no longer waits."),
                             tr("Your changes are still in the form, for a new video."), tr("Undo"),
                             [this] { parts_.controller.undoRestore(); }});
    });
}

void LibraryController::wireHistory() {
    connect(&parts_.page, &LibraryPage::useSettingsRequested, this, &LibraryController::restoreFrom);
    connect(&parts_.page, &LibraryPage::continueRequested, this, &LibraryController::continueVideo);
    connect(&parts_.page, &LibraryPage::varyRequested, this, [this](const VideoRequest& request, int count) {
        parts_.controller.vary(request, parts_.preferences.outputFolder(), count);
    });
    connect(&parts_.page, &LibraryPage::showInFolderRequested, this,
            [this](const QString& file) { parts_.desktop.showInFolder(file); });
}

void LibraryController::showFailure(const Job& job) {
    const ErrorText words = errorText(job.error.value_or(Error(ErrorCode::internal, {})));
    const QString name = cutText(jobName(job, ModelNames::of(parts_.bridge)), kNameShown);
    parts_.notices.show({NoticeTopic::queue, Severity::error, tr("A queued job failed:"),
                         tr("“%1”: %2. %3", "prompt, error title, explanation").arg(name, words.title, words.sentence),
                         tr("Try again"),
                         [this, id = job.id, hasKeptSteps = job.step > 0] {
                             parts_.notices.clear(NoticeTopic::queue);
                             if (hasKeptSteps) return parts_.bridge.resume(id);
                             parts_.controller.retry(id);
                         },
                         words.detail});
}

void LibraryController::exportQueue() {
    const QString to = parts_.desktop.askSaveName(tr("Export Queue"), QDir::home().filePath("queue.jsonl"),
                                                  tr("JSON Lines (*.jsonl)"));
    if (to.isEmpty()) return;
    inPool(
        this, [to, requests = parts_.controller.openRequests()] { return saveFile(to, requests); },
        [this](const QString& fault) {
            if (!fault.isEmpty()) parts_.page.notice()->setNotice(Severity::error, tr("Export failed:"), fault);
        });
}

void LibraryController::restoreFrom(const QString& video) {
    parts_.showForm();
    const HistoryItem* item = parts_.history.item(video);
    if (item && item->request) return parts_.controller.restore(*item->request);
    parts_.controller.restoreFrom(video);
}

void LibraryController::continueVideo(const QString& video) {
    parts_.showForm();
    parts_.controller.stopEditing();
    const VideoRequest before = parts_.request.request();
    parts_.request.edit([&](VideoRequest& request) {
        for (auto* input : {&request.image, &request.video, &request.mask}) input->reset();
        request.strength.reset();
        request.conditions.clear();
        request.fps.reset();  // the result has that of the video
        request.continue_video = video.toStdU16String();
    });
    offerRemoved(before);
}

/// Offers the inputs and settings of the form that a continued video has removed.
void LibraryController::offerRemoved(const VideoRequest& before) {
    const VideoRequest& now = parts_.request.request();
    VideoRequest added = before;
    added.continue_video = now.continue_video;
    if (added == now) return;
    parts_.controller.restorer().remember(before);
    parts_.notices.show({NoticeTopic::settings,
                         Severity::info,
                         tr("Continuing a video."),
                         tr("Inputs and settings that do not apply were removed from the form."),
                         tr("Undo"),
                         [this] { parts_.controller.undoRestore(); },
                         {}});
}

QString LibraryController::missingText(const QString& model) const {
    const QString name = modelPathText(model.toStdString());
    const std::string& computer = ComputerListModel::of(parts_.bridge).chosen();
    if (computer.empty())
        return tr("The model %1 is not available. Settings that apply to the current model were restored.").arg(name);
    return tr("The model %1 was not found on “%2”. Settings that apply to the current model were restored.",
              "model, computer")
        .arg(name, QString::fromStdString(computer));
}

void LibraryController::showUnanswered(const VideoRequest& request, const Error& error) {
    const QString computer = QString::fromStdString(ComputerListModel::of(parts_.bridge).chosen());
    if (computer.isEmpty()) return;  // the end of this computer's engine is shown elsewhere
    parts_.notices.clear(NoticeTopic::model);
    parts_.notices.show({.topic = NoticeTopic::settings,
                         .severity = Severity::warning,
                         .lead = tr("Settings not restored."),
                         .text = tr("“%1” could not be asked about the model %2, so the form was left as it is. %3",
                                    "computer, model, reason")
                                     .arg(computer, modelPathText(request.model), computerErrorText(error)),
                         .action = tr("Try again"),
                         .call = [this, request] { parts_.controller.restore(request); },
                         .detail = computerErrorDetail(error)});
}

QString LibraryController::differencesText() const {
    QStringList words;
    if (const auto& made = parts_.controller.restorer().replacedGuard()) {
        const auto name = [](GuardMode mode) {
            return mode == GuardMode::heal ? tr("Heal") : mode == GuardMode::observe ? tr("Observe") : tr("Off");
        };
        words << tr("The guard is set to %1, as in the preferences; the video was made with %2.", "guard modes")
                     .arg(name(parts_.request.request().guard), name(*made));
    }
    if (parts_.request.hasOtherThreads())
        words << tr("It runs with %Ln threads, as the video did, until you change a setting.", nullptr,
                    parts_.request.request().threads.value_or(0));
    return words.join(QLatin1Char(' '));
}

void LibraryController::showRestored(const QString& missingModel) {
    if (!parts_.controller.restorer().canUndo()) return parts_.notices.clear(NoticeTopic::settings);
    const QString missing = missingModel.isEmpty() ? QString() : missingText(missingModel);
    const QString words = (missing + QLatin1Char(' ') + differencesText()).trimmed();
    const bool isEditing = parts_.controller.isEditing();
    const QString lead = isEditing ? tr("Editing a queued job.") : tr("Settings restored.");
    parts_.notices.show({isEditing ? NoticeTopic::editing : NoticeTopic::settings,
                         missing.isEmpty() ? Severity::ok : Severity::warning, lead, words, tr("Undo"),
                         [this] { parts_.controller.undoRestore(); }});
}

}  // namespace kinescope::ui
