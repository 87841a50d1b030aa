#pragma once

#include <QObject>
#include <QSet>
#include <functional>
#include <optional>

#include "ui/models/drop_rule.h"
#include "ui/models/queue_model.h"
#include "ui/models/request_model.h"
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
    ~QueueController() override;

    QueueModel& queue() { return queue_; }
    SettingsRestorer& restorer() { return restorer_; }

    /// Receives requests as they are submitted, with the names of their files; empty if the engine is lost.
    using Sent = std::function<void(const std::vector<VideoRequest>&)>;

    /// Returns true if generate() has an effect. An edited job has one prompt, without alternatives.
    bool canGenerate() const { return request_.canRun() && !(edited_ && request_.numPrompts() > 1); }
    /// Submits the videos of the form: `count` consecutive seeds for each of the prompt's alternatives. The first one
    /// starts immediately if the engine is idle. While a job is edited, updates this job instead.
    void generate(const QString& folder, int count);
    /// Submits the videos of the form, also while a job is edited.
    void generateNew(const QString& folder, int count, const Sent& sent);
    /// Loads a job into the form; generate() then updates the job.
    void edit(const Job& job);
    bool isEditing() const { return edited_.has_value(); }
    /// Ends editing without changing the job or the form.
    void stopEditing();
    /// Loads the request of a video or file into the form, with the device and the guard of the preferences. Ends
    /// editing.
    void restore(const VideoRequest& request);
    /// Undoes the last restore and ends editing without changing the job.
    void undoRestore();
    /// Submits `count` more videos of a request with new seeds.
    void vary(VideoRequest request, const QString& folder, int count);
    /// Submits requests, whose outputs it sets. Calls `sent` just before the engine takes them.
    void submitAll(const std::vector<VideoRequest>& requests, const QString& folder, const Sent& sent);

    /// Restores the settings of a video. Emits noSettingsFound() if there are none.
    void restoreFrom(const QString& video);
    /// Loads the request of a JSON file into the form. Emits failed() if the request is invalid.
    void restoreRequest(const QString& file);
    /// Adds all requests of a JSON or JSON Lines file to the queue. They replace no file.
    void importRequests(const QString& file, const QString& folder);
    /// Returns the requests of the open jobs for importRequests(), one per line.
    QByteArray openRequests() const;

    /// Returns the job that a crash interrupted, if any. Must be called once, when the computers are known.
    std::optional<RecoveryDialog::Facts> interrupted();
    void answerRecovery(const RecoveryDialog::Facts& facts, RecoveryAnswer answer, RecoveryMode mode);
    /// Returns the state of the run for the quit dialog.
    QuitQuestion quitQuestion() const;
    /// Makes the next start continue the active job without asking.
    void leaveForNextStart();
    /// Starts a failed or stopped job again.
    void retry(JobId job);
    /// Removes the failed active job, because the form is about to be submitted again.
    void replaceFailed();
    /// Continues the failed active run after its last completed step. Returns false if it has no completed step.
    bool continueFailed();

Q_SIGNALS:
    void editingChanged(bool editing);
    /// Emitted when the edited job no longer waits, so that it can't be changed. The form keeps the changes.
    void editedJobLost();
    /// Emitted when generate() has submitted more than one video.
    void swept(const std::vector<kinescope::VideoRequest>& requests);
    /// Emitted to show a confirmation.
    void confirmed(const QString& lead, const QString& words);
    void failed(const QString& lead, const QString& words);
    void noSettingsFound(const QString& video);
    /// Emitted when a job has failed that is not active and therefore not shown elsewhere.
    void jobFailed(const kinescope::Job& job);

private:
    /// Returns the failed active job, or nullptr if there is none.
    const Job* failedActiveJob() const;
    const Plan* planOf(const VideoRequest& request) const;
    /// Submits requests under unused file names.
    void submitUnused(const std::vector<VideoRequest>& requests, const std::vector<OutputNaming>& namings,
                      const QString& folder, const Sent& sent);
    /// Reads the requests in a file on a background thread. Then calls `use` with them, or emits failed().
    void readRequests(const QString& file, const std::function<void(const std::vector<VideoRequest>&)>& use);
    /// Sends the edited job to the engine. The form keeps the changes until the engine has taken them.
    void updateJob(const QString& folder);
    /// Returns how the files of the changed job are named; empty: they keep their names.
    OutputNaming namingOfEdited(const VideoRequest& changed, const QString& folder) const;
    void onJobUpdated(JobId job, const VideoRequest& changed);
    void onUpdateRefused(JobId job, const Error& error);
    /// Returns true if the form still shows the job.
    bool showsEditedJob() const;
    bool endUpdate(JobId job);
    void leaveStartedJob();
    /// Confirms `words` when the engine has taken all new jobs. If it refuses an order meanwhile, that is shown.
    void confirmAdded(const QString& words);
    void updateProgress();
    void noteUnsavedSteps(const JobEvent& arrived);
    /// Saves which job runs, for a start after this process was killed.
    void noteRunningJob();
    void reportFailure(const Job& job);
    bool hasNext(const Job& job) const;
    void continueCleanly(const QStringList& left);
    std::vector<Job> interruptedJobs() const;
    /// The computer that runs a job; empty: this one.
    QString computerOf(const Job& job) const;

    EngineBridge& bridge_;
    RequestModel& request_;
    RunModel& run_;
    QSettings& settings_;
    QueueModel queue_;
    SettingsRestorer restorer_;
    int numRefused_ = 0;   ///< orders that the engine has refused
    QSet<JobId> unsaved_;  ///< jobs whose finished steps may not be saved
    std::optional<Job> edited_;
    JobId updating_ = 0;             ///< the job that the engine is changing; 0: none
    std::filesystem::path awaited_;  ///< the video whose settings are being read
    QImage picture_;
    JobId noted_ = 0;  ///< the running job in the settings; 0: none
};

}  // namespace kinescope::ui
