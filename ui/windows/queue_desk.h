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

/// Gives requests to the queue and takes them back: new ones, changed ones, those that an earlier start left behind,
/// settings out of videos, and what becomes of all that when the program ends. It has no widget.
class QueueDesk : public QObject {
    Q_OBJECT

public:
    QueueDesk(EngineBridge& bridge, RequestModel& request, RunModel& run, QSettings& settings,
              QObject* parent = nullptr);

    QueueModel& queue() { return queue_; }
    SettingsRestorer& restorer() { return restorer_; }

    /// So many videos of the form as it is, one seed after the other; the first begins at once when nothing works.
    void generate(const QString& folder, int count);
    /// The job's settings come into the form; generate() then changes the job.
    void edit(const JobRecord& job);
    bool isEditing() const { return edited_.has_value(); }
    void endEdit();

    /// What came into the form goes out again, and a job that was open stays as it was.
    void undoRestore();
    /// So many more videos of a request, each with a seed of its own.
    void vary(VideoRequest request, const QString& folder, int count);

    /// Brings back the settings of a video; videoHasNone() when there are none.
    void restoreFrom(const QString& video);
    /// Brings the request of a JSON file into the form; failed() when there is none.
    void restoreRequest(const QString& file);
    /// Adds every request of a file: JSON, or JSON Lines.
    void importRequests(const QString& file, const QString& folder);
    /// Writes the jobs that are still to be made, one a line. Returns what went wrong; empty: nothing.
    QString exportRequests(const QString& file) const;

    /// The job that a crash interrupted, if there is one; to be asked once, when the engine is ready.
    std::optional<RecoveryDialog::Facts> interrupted();
    void answerRecovery(const RecoveryDialog::Facts& facts, RecoveryAnswer answer, bool safeMode);
    /// What can be said of the run when the window is closed in its middle.
    QuitQuestion quitQuestion() const;
    /// The job on stage goes on with the next start, without being asked for.
    void leaveForNextStart();
    /// A failed or stopped job begins anew.
    void retry(JobId job);
    /// The job that failed on stage leaves the queue: the form makes its video again.
    void replaceFailed();
    /// Continues the failed run on stage after its last finished step; false: it has none.
    bool continueFailed();

Q_SIGNALS:
    void editingChanged(bool editing);
    /// Something for everybody to know.
    void said(const QString& lead, const QString& words);
    void failed(const QString& lead, const QString& words);
    void videoHasNone(const QString& video);
    /// A job failed that is not on stage: nothing else shows it.
    void jobFailed(const kinescope::JobRecord& job);

private:
    /// nullptr: none.
    const JobRecord* failedOnStage() const;
    void submit(VideoRequest request);
    /// Empty after failed().
    std::vector<VideoRequest> readRequests(const QString& file);
    void nameFiles(VideoRequest& request, const QString& folder);
    void tellProgress();
    void tellFailure(const JobRecord& job);
    void continueCleanly(JobId left);

    EngineBridge& bridge_;
    RequestModel& request_;
    RunModel& run_;
    QSettings& settings_;
    QueueModel queue_;
    SettingsRestorer restorer_;
    std::optional<JobRecord> edited_;
    std::vector<JobRecord> submitted_;  ///< just given: the queue tells of them a moment later
    std::filesystem::path awaited_;     ///< the video whose settings were asked for
    QImage picture_;
};

}  // namespace kinescope::ui
