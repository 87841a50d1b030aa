#pragma once

#include <QObject>
#include <optional>

#include "ui/models/drop_rule.h"
#include "ui/models/queue_model.h"
#include "ui/models/run_model.h"
#include "ui/models/settings_restorer.h"
#include "ui/windows/quit_dialog.h"
#include "ui/windows/recovery_dialog.h"

class QSettings;

namespace kinescope::ui {

/// Submits requests to the queue, edits and restores them, imports and exports them, and handles interrupted jobs at
/// start and exit. Has no widgets.
class QueueController : public QObject {
    Q_OBJECT

public:
    QueueController(EngineBridge& bridge, RequestModel& request, RunModel& run, QSettings& settings,
                    QObject* parent = nullptr);

    QueueModel& queue() { return queue_; }
    SettingsRestorer& restorer() { return restorer_; }

    /// Submits `count` videos of the form with consecutive seeds. The first starts at once if the engine is idle.
    void generate(const QString& folder, int count);
    /// Loads a job into the form; generate() then updates the job.
    void edit(const Job& job);
    bool isEditing() const { return edited_.has_value(); }
    void endEdit();

    /// Undoes the last restore and ends editing without changing the job.
    void undoRestore();
    /// Submits `count` more videos of a request with new seeds.
    void vary(VideoRequest request, const QString& folder, int count);

    /// Restores the settings of a video; emits noSettingsFound() if there are none.
    void restoreFrom(const QString& video);
    /// Loads the request of a JSON file into the form; emits failed() if it is invalid.
    void restoreRequest(const QString& file);
    /// Queues all requests of a JSON or JSON Lines file.
    void importRequests(const QString& file, const QString& folder);
    /// Writes the open jobs, one per line. Returns the error; empty on success.
    QString exportRequests(const QString& file) const;

    /// The job that a crash interrupted, if any. Call it once, when the engine is ready.
    std::optional<RecoveryDialog::Facts> interrupted();
    void answerRecovery(const RecoveryDialog::Facts& facts, RecoveryAnswer answer, RecoveryMode mode);
    /// The state of the run for the quit dialog.
    QuitQuestion quitQuestion() const;
    /// Continues the active job at the next start without asking.
    void leaveForNextStart();
    /// Starts a failed or stopped job again.
    void retry(JobId job);
    /// Removes the failed active job, because the form is submitted again.
    void replaceFailed();
    /// Continues the failed active run after its last completed step; false if it has none.
    bool continueFailed();

Q_SIGNALS:
    void editingChanged(bool editing);
    /// A confirmation to show.
    void confirmed(const QString& lead, const QString& words);
    void failed(const QString& lead, const QString& words);
    void noSettingsFound(const QString& video);
    /// A job failed that is not active, so nothing else shows it.
    void jobFailed(const kinescope::Job& job);

private:
    /// The failed active job; nullptr: none.
    const Job* failedActiveJob() const;
    void submit(VideoRequest request);
    /// Empty if failed() was emitted.
    std::vector<VideoRequest> readRequests(const QString& file);
    void updateProgress();
    void reportFailure(const Job& job);
    void continueCleanly(JobId left);

    EngineBridge& bridge_;
    RequestModel& request_;
    RunModel& run_;
    QSettings& settings_;
    QueueModel queue_;
    SettingsRestorer restorer_;
    std::optional<Job> edited_;
    std::vector<Job> submitted_;     ///< submitted, but not yet reported by the queue
    std::filesystem::path awaited_;  ///< the video whose settings are being read
    QImage picture_;
};

}  // namespace kinescope::ui
