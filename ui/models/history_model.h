#pragma once

#include <QAbstractListModel>
#include <QHash>
#include <QSettings>
#include <QThreadPool>

#include "ui/models/history_item.h"
#include "ui/models/thumbnail_store.h"

namespace kinescope::ui {

/// The videos of the output folder, grouped by day: rows are headings and videos. The folder is read on a background
/// thread, the settings one file after the other; rows come in pages (fetchMore), so that ten thousand do not wait for
/// each other.
class HistoryModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Qt::UserRole is the file; empty for a heading.
    enum Role {
        HeadingRole = Qt::UserRole + 1,
        TimeRole,
        LengthRole,
        StatusRole,
        MissingRole,
        FavouriteRole,
        FramesRole,
        FactsRole  ///< "Kinescope demo, 128 × 128, 25 frames, seed 7"
    };

    HistoryModel(EngineBridge& bridge, QSettings& settings, const QDir& thumbnails, QObject* parent = nullptr);
    ~HistoryModel() override;

    /// Looks into the folder again; what was there and is gone is kept as missing.
    void scan(const QString& folder);
    void setFilter(const HistoryFilter& filter);
    const HistoryFilter& filter() const { return filter_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QStringList mimeTypes() const override { return {QStringLiteral("text/uri-list")}; }
    QMimeData* mimeData(const QModelIndexList& indexes) const override;

    /// Null when there is no such video.
    const HistoryItem* item(const QString& file) const;
    int numVideos() const { return static_cast<int>(items_.size()); }
    int numShown() const { return num_shown_; }
    qint64 bytes() const;
    int rowOf(const QString& file) const;
    ThumbnailStore& thumbnails() { return thumbnails_; }

    void toggleFavourite(const QString& file);
    /// Into the system's bin, with the log beside it. Returns what went wrong; empty: nothing.
    QString moveToBin(const QString& file);

    /// The days in the language of the moment.
    void sayAgain() { arrange(); }

Q_SIGNALS:
    void changed();
    /// Another folder content was read.
    void scanned();
    void itemChanged(const QString& file);

private:
    struct Row {
        int item = -1;  ///< -1: a heading
        QString heading;
    };

    void takeScan(std::vector<HistoryItem> items);
    void takeSettings(const std::filesystem::path& video, const std::optional<VideoRequest>& request);
    void askNext();
    void arrange();
    HistoryItem* find(const QString& file);
    void tell(const QString& file);

    EngineBridge& bridge_;
    QSettings& settings_;
    mutable ThumbnailStore thumbnails_;
    std::vector<HistoryItem> items_;
    QHash<QString, int> places_;  ///< of a file in items_
    std::vector<Row> rows_;       ///< all that the filter lets through
    int loaded_ = 0;              ///< rows that views know of
    int num_shown_ = 0;
    HistoryFilter filter_;
    QString awaited_;
    std::size_t next_ = 0;  ///< items before it were asked for their settings
    int scan_ = 0;
    QThreadPool pool_;
};

}  // namespace kinescope::ui
