#pragma once

#include <QAbstractListModel>
#include <QImage>
#include <QMap>
#include <QPointer>
#include <QSet>
#include <QTimer>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/thumbnail_store.h"

namespace kinescope::ui {

/// The jobs of the queue as rows: what works first, then what is still to do in its order, then what is over. Orders go
/// to the engine; the rows change when it tells the new queue. A job that was removed is only hidden for some seconds,
/// so that it can be had back as it was.
class QueueModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Qt::UserRole is the job's id; Qt::DisplayRole its words.
    enum Role {
        StateRole = Qt::UserRole + 1,
        FactsRole,
        StatusRole,
        ReasonRole,  ///< why a failed job failed, in one sentence; empty for every other
        FractionRole,
        PictureRole,
        SecondsLeftRole
    };

    explicit QueueModel(EngineBridge& bridge, QObject* parent = nullptr);
    /// Carries out a removal that can still be undone.
    ~QueueModel() override;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* mime, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

    const JobRecord& job(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    /// -1 when there is none.
    int rowOf(JobId job) const;
    /// Jobs that are still to do, the running one too.
    int numOpen() const;
    int numOver() const;
    int numFailed() const;

    /// Moves a job that is still to do so that it stands in `row`; others keep their order.
    void moveTo(JobId job, int row);
    /// Up (-1) or down (1) by one.
    void moveBy(JobId job, int rows);
    void remove(JobId job);
    bool canUndo() const { return removed_.has_value(); }
    void undoRemove();
    /// Takes every job away that is over.
    void clearOver();
    /// Jobs of an earlier start show a picture of the video that they left.
    void setThumbnails(ThumbnailStore& thumbnails);
    /// How far the job is that runs.
    struct Progress {
        QImage picture;  ///< the newest
        int step = 0;    ///< steps that are done
        int numSteps = 0;
        std::optional<double> secondsLeft;  ///< nothing: not known
    };
    void setProgress(JobId job, const Progress& progress);

Q_SIGNALS:
    /// Also of numbers like numOpen.
    void changed();
    void removed(const QString& words);
    /// The removal cannot be undone any more.
    void removalDone();
    /// A job failed while this program runs; once, until it is tried again.
    void jobFailed(const kinescope::JobRecord& job);

private:
    void take();
    void finishRemoval();
    bool isOpen(int row) const;
    QString status(const JobRecord& job) const;
    QString reason(const JobRecord& job) const;
    QString toolTip(const JobRecord& job) const;
    QImage picture(const JobRecord& job) const;
    void tellFailures();

    EngineBridge& bridge_;
    std::vector<JobRecord> rows_;
    std::optional<JobRecord> removed_;
    QTimer undoTimer_;
    bool ready_ = false;  ///< the engine is there: what has failed before is known already
    QSet<JobId> failed_;
    JobId onStage_ = 0;
    QMap<JobId, QImage> pictures_;  ///< of jobs that ran since the start
    QPointer<ThumbnailStore> thumbnails_;
    std::optional<double> secondsLeft_;
};

/// "Wan 2.1 T2V 1.3B" of a model's path, "Kinescope demo" of the built-in one.
QString modelWords(const std::string& model);
/// "832 × 480, 81 frames"; what is not set yet is left out.
QString sizeWords(const VideoRequest& request);

}  // namespace kinescope::ui
