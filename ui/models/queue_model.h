#pragma once

#include <QAbstractListModel>
#include <QDateTime>
#include <QHash>
#include <QImage>
#include <QMap>
#include <QPointer>
#include <QSet>
#include <QTimer>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/queue_estimate.h"
#include "ui/models/run_tracker.h"
#include "ui/models/thumbnail_store.h"

namespace kinescope::ui {

class ModelNames;

/// The jobs of the queue: the running one, the open ones in order, the failed ones, then the finished ones, newest
/// first. Changes are sent to the engine; rows change when the engine reports the new queue. A removed job is only
/// hidden for some seconds, so that the removal can be undone.
class QueueModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Qt::UserRole is the id of the job, Qt::DisplayRole its name: see jobName.
    enum Role {
        StateRole = Qt::UserRole + 1,
        DamagedRole,   ///< true for a job that can only be removed
        SleepsRole,    ///< true for a job that waits from an earlier session
        FactsRole,     ///< empty for a damaged job
        ComputerRole,  ///< "On workstation"; empty: this computer
        StatusRole,
        ReasonRole,  ///< why a job failed or waits, or that its computer is out of reach; otherwise empty
        FractionRole,
        PictureRole,
        SecondsLeftRole,    ///< estimate for a running job; invalid: unknown
        SecondsToStartRole  ///< estimate for a waiting job; invalid: unknown
    };

    explicit QueueModel(EngineBridge& bridge, QObject* parent = nullptr);
    /// Completes a pending removal.
    ~QueueModel() override;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* mime, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

    const Job& job(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    /// Returns the row of a job, or -1 if there is none.
    int rowOf(JobId job) const;
    /// Returns the number of open jobs, including the running one.
    int numOpen() const;
    int numOver() const;
    int numClearable() const;
    int numFailed() const;

    /// Moves an open job to `row`; the others keep their order.
    void moveTo(JobId job, int row);
    /// Moves a job up (-1) or down (1).
    void moveBy(JobId job, int rows);
    void remove(JobId job);
    bool canUndo() const { return removed_.has_value(); }
    void undoRemove();
    /// Removes all jobs that are over, except failed ones that have kept steps.
    void clearOver();
    /// Sets the source of the pictures of jobs from earlier sessions.
    void setThumbnails(ThumbnailStore& thumbnails);
    /// Progress of the job that the window shows.
    struct Progress {
        QImage picture;  ///< latest preview
        int step = 0;    ///< completed steps
        int numSteps = 0;
        std::optional<double> secondsLeft;  ///< nullopt: unknown
    };
    void setProgress(JobId job, const Progress& progress);
    /// Returns the planned seconds of a job, or nullopt if they are unknown.
    std::optional<PhaseSeconds> plannedSeconds(JobId job) const;

Q_SIGNALS:
    /// Emitted for every change, including changes of counts such as numOpen().
    void changed();
    void removed(const QString& words);
    /// Emitted when the removal can no longer be undone.
    void removalDone();
    /// Emitted when a job has failed in this session, once for each attempt.
    void jobFailed(const kinescope::Job& job);
    /// The same for a job that has finished.
    void jobFinished(const kinescope::Job& job);

private:
    void onQueueChanged();
    void setRows(std::vector<Job> rows);
    void followRuns(const std::vector<JobEvent>& events);
    std::optional<double> secondsLeft(const Job& job) const;
    bool isReached(const Job& job) const;
    QueuedTime timeOf(const Job& job) const;
    void finishRemoval();
    bool isOpen(int row) const;
    QString facts(const Job& job) const;
    QString status(const Job& job) const;
    QString reason(const Job& job) const;
    QString toolTip(const Job& job) const;
    QImage picture(const Job& job) const;
    void lookAtVideos();
    void onVideosSeen(const QHash<JobId, QString>& files, const QHash<QString, QDateTime>& made);
    void reportEnds();
    void requestPlans();
    void requestPlan(const Job& job, const QString& computer, const QString& key);
    void forgetPlan(const QString& key, const Error& error);
    void forgetRemovedJobs();
    void updateTimes();

    EngineBridge& bridge_;
    std::vector<Job> rows_;
    std::optional<Job> removed_;
    QTimer undoTimer_;
    bool ready_ = false;  ///< false until the engine is ready; earlier failures are not reported
    QSet<JobId> ended_;
    JobId activeJob_ = 0;
    QMap<JobId, QImage> pictures_;  ///< pictures of jobs that ran in this session
    QPointer<ThumbnailStore> thumbnails_;
    /// The video of a job that is over.
    struct Video {
        QString file;
        QDateTime made;          ///< invalid: there is no file, or a worker thread still looks for it
        bool isCurrent = false;  ///< a worker thread has looked, or looks, since the list changed
    };
    QHash<JobId, Video> videos_;
    std::optional<double> secondsLeft_;                  ///< of the active job
    QHash<JobId, RunTracker> runs_;                      ///< of jobs that run
    QHash<JobId, QString> planKeys_;                     ///< of jobs that wait or run
    QHash<QString, std::optional<PhaseSeconds>> plans_;  ///< by key; nullopt: requested or unknown
    QHash<QString, int> refusedPlans_;                   ///< how often a plan was refused, by key
    QHash<JobId, double> starts_;                        ///< seconds until waiting jobs start
};

/// Returns the name of a model that may not be listed: that of its folder or file, or "Kinescope demo" for the built-in
/// model. Listed models have the names of ModelNames.
QString modelPathText(const std::string& model);
/// Returns the prompt of a request. A request without one is named by its model and its first input file.
QString jobName(const VideoRequest& request, const ModelNames& names);
/// The same for a job. A job without prompt and input file is named by its model and the time at which it was added,
/// and a job whose request is not known by its number.
QString jobName(const Job& job, const ModelNames& names);
/// Returns a text such as "832 × 480, 81 frames". Omits values that are not set.
QString sizeText(const VideoRequest& request);

}  // namespace kinescope::ui
