#pragma once

#include <QAbstractListModel>
#include <QDateTime>
#include <QHash>
#include <QString>
#include <QThreadPool>
#include <vector>

#include "ui/models/history_model.h"
#include "ui/models/queue_model.h"

namespace kinescope::ui {

/// State of a result in the grid.
enum class TileState {
    waiting,
    running,
    done,
    stopped,  ///< cancelled, with or without a playable part
    failed,
    missing,  ///< neither in the queue nor on the disk
};

/// The results of an exploration: videos of one request with several seeds or prompts, in the order in which they were
/// requested. Kept in a file, so that the grid survives a restart. Worker threads read and write the disk.
class ExploreModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Qt::UserRole is the path of the video, Qt::DisplayRole its prompt.
    enum Role {
        StateRole = Qt::UserRole + 1,  ///< a TileState
        SeedRole,                      ///< "Seed 7", or the two seeds of a variation
        StatusRole,                    ///< "Step 3 of 8"; empty for a finished video
        FramesRole,                    ///< QList<QImage>: thumbnail, or preview of the running job
        FractionRole,                  ///< progress of the running job, 0 to 1
        FavoriteRole,
    };

    /// `file` keeps the requests; empty: nothing is kept. Reads them on a worker thread.
    ExploreModel(QueueModel& queue, HistoryModel& history, QString file, QObject* parent = nullptr);
    ~ExploreModel() override;

    static QString defaultFile();

    /// Shows the results of these requests, whose outputs must be set, instead of the earlier ones.
    void setRequests(const std::vector<VideoRequest>& requests);
    /// Inserts results after `row`. Their number must not exceed room().
    void insertAfter(int row, const std::vector<VideoRequest>& requests);
    /// Removes all results from the grid. Videos and jobs remain.
    void clear() { setRequests({}); }
    /// Shows requests of an earlier grid again. Their videos may be deleted, and their jobs removed.
    void showAgain(const std::vector<VideoRequest>& requests);
    /// Stops waiting for jobs that the queue does not contain, because the engine has refused one.
    void stopAwaiting();

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override { return {QStringLiteral("text/uri-list")}; }
    QMimeData* mimeData(const QModelIndexList& indexes) const override;

    const VideoRequest& request(int row) const { return tiles_[static_cast<std::size_t>(row)].request; }
    std::vector<VideoRequest> requests() const;
    /// Returns how many results the grid can take.
    int room() const;
    TileState state(int row) const { return tiles_[static_cast<std::size_t>(row)].state; }
    int numDone() const;
    /// Marks these results as favorites or, if all of them are favorites, none of them.
    void toggleFavorites(const QList<int>& rows);

Q_SIGNALS:
    /// Emitted when results or their states have changed.
    void changed();

private:
    /// What is known of the file of a result.
    enum class FileLook { needed, asked, done };

    struct Tile {
        VideoRequest request;
        QString file;
        int job = -1;  ///< row in the queue; -1: none
        TileState state = TileState::waiting;
        bool isAwaited = true;  ///< just sent, and not yet in the queue
        FileLook look = FileLook::needed;
        QDateTime made;  ///< of a finished file
    };

    static std::vector<Tile> tilesOf(const std::vector<VideoRequest>& requests);
    static bool isOver(const Tile& tile);
    void restore();
    void save();
    void update();
    void updateJob(int row);
    void readState(Tile& tile) const;
    void lookAtFiles();
    void lookAtFilesAgain();
    void onFilesSeen(const QStringList& files, const QHash<QString, QDateTime>& made);
    void emitAll();
    bool isFavorite(const Tile& tile) const;
    void emitTile(int row);
    void emitFile(const QString& file);
    QString status(const Tile& tile) const;
    QList<QImage> frames(const Tile& tile) const;

    QueueModel& queue_;
    HistoryModel& history_;
    QString file_;
    std::vector<Tile> tiles_;
    bool isRestored_ = false;  ///< the kept requests are read or replaced
    QThreadPool files_;        ///< one thread: a later grid is saved after an earlier one
    QThreadPool looks_;        ///< one thread: looks at the files of results
};

}  // namespace kinescope::ui
