#include "ui/windows/library_desk.h"

#include <QDir>

#include "ui/models/error_catalogue.h"
#include "ui/models/history_model.h"
#include "ui/models/queue_model.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/queue_panel.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/desktop.h"
#include "ui/windows/library_page.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_desk.h"

namespace kinescope::ui {
namespace {

constexpr int kPromptShown = 40;  ///< characters

}  // namespace

LibraryDesk::LibraryDesk(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    serveQueue();
    serveHistory();
    connect(&parts_.desk, &QueueDesk::said, this, [this](const QString& lead, const QString& words) {
        parts_.notices.say({NoticeTopic::queue, Severity::ok, lead, words, {}, {}});
    });
    connect(&parts_.desk, &QueueDesk::failed, this, [this](const QString& lead, const QString& words) {
        parts_.notices.say({NoticeTopic::queue, Severity::error, lead, words, {}, {}});
    });
    connect(&parts_.desk, &QueueDesk::jobFailed, this, &LibraryDesk::tellFailure);
    connect(&parts_.desk.restorer(), &SettingsRestorer::restored, this, &LibraryDesk::tellRestored);
}

void LibraryDesk::serveQueue() {
    QueuePanel* queue = parts_.page.queuePanel();
    connect(queue, &QueuePanel::editWanted, this, [this](const JobRecord& job) {
        parts_.showForm();
        parts_.desk.edit(job);
    });
    connect(queue, &QueuePanel::duplicateWanted, this,
            [this](const JobRecord& job) { parts_.desk.vary(job.request, parts_.preferences.outputFolder(), 1); });
    connect(queue, &QueuePanel::useSettingsWanted, this, [this](const JobRecord& job) {
        parts_.showForm();
        parts_.desk.restorer().restore(job.request);
    });
    connect(queue, &QueuePanel::exportWanted, this, &LibraryDesk::exportQueue);
    queue->setWhenDone(parts_.preferences.value(setting::kWhenQueueDone).toString());
    connect(queue, &QueuePanel::whenDoneChosen, this,
            [this](const QString& what) { parts_.preferences.set(setting::kWhenQueueDone, what); });
    HistoryPanel* history = parts_.page.historyPanel();
    history->setAsList(parts_.preferences.value(setting::kHistoryAsList).toBool());
    connect(history, &HistoryPanel::asListChanged, this,
            [this](bool asList) { parts_.preferences.set(setting::kHistoryAsList, asList); });
}

void LibraryDesk::serveHistory() {
    connect(&parts_.page, &LibraryPage::useSettingsWanted, this, &LibraryDesk::restoreFrom);
    connect(&parts_.page, &LibraryPage::varyWanted, this, [this](const VideoRequest& request, int count) {
        parts_.desk.vary(request, parts_.preferences.outputFolder(), count);
    });
    connect(&parts_.page, &LibraryPage::showInFolderWanted, this,
            [this](const QString& file) { parts_.desktop.showInFolder(file); });
}

void LibraryDesk::tellFailure(const JobRecord& job) {
    const ErrorText words = errorText(job.error.value_or(Error(ErrorCode::internal, {})));
    const QString prompt = QString::fromStdString(job.request.prompt).simplified().left(kPromptShown);
    parts_.notices.say({NoticeTopic::queue, Severity::error, tr("A job of the queue failed:"),
                        tr("“%1”: %2. %3", "prompt, what happened, why").arg(prompt, words.title, words.sentence),
                        tr("Try again"),
                        [this, id = job.id] {
                            parts_.notices.settle(NoticeTopic::queue);
                            parts_.desk.retry(id);
                        },
                        words.detail});
}

void LibraryDesk::exportQueue() {
    const QString to = parts_.desktop.askSaveName(tr("Export the queue"), QDir::home().filePath("queue.jsonl"),
                                                  tr("JSON Lines (*.jsonl)"));
    const QString fault = to.isEmpty() ? QString() : parts_.desk.exportRequests(to);
    if (!fault.isEmpty()) parts_.page.notice()->setNotice(Severity::error, tr("Could not be exported:"), fault);
}

void LibraryDesk::restoreFrom(const QString& video) {
    parts_.showForm();
    const HistoryItem* item = parts_.history.item(video);
    if (item && item->request) return parts_.desk.restorer().restore(*item->request);
    parts_.desk.restoreFrom(video);
}

void LibraryDesk::tellRestored(const QString& missingModel) {
    if (!parts_.desk.restorer().canUndo()) return parts_.notices.settle(NoticeTopic::settings);
    const QString words = missingModel.isEmpty() ? QString()
                                                 : tr("Made with %1, which is not here. Settings that fit were kept.")
                                                       .arg(modelWords(missingModel.toStdString()));
    const QString lead = parts_.desk.isEditing() ? tr("A job of the queue is open.") : tr("Settings restored.");
    parts_.notices.say({NoticeTopic::settings, missingModel.isEmpty() ? Severity::ok : Severity::warning, lead, words,
                        tr("Undo"), [this] { parts_.desk.undoRestore(); }});
}

}  // namespace kinescope::ui
