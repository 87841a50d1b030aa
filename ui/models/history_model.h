#pragma once

#include <QAbstractListModel>
#include <QHash>
#include <QSettings>
#include <QThreadPool>
#include <QTimer>
#include <functional>

#include "ui/models/history_item.h"
#include "ui/models/thumbnail_store.h"

namespace kinescope::ui {

/// The videos of the output folder, grouped by day; rows are headings and videos. A background thread reads the folder,
/// then the settings file by file. Rows are loaded in pages (fetchMore), so that large folders stay responsive.
class HistoryModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Roles of an item. Qt::UserRole returns its path, or an empty string for a heading.
    enum Role {
        HeadingRole = Qt::UserRole + 1,
        TimeRole,
        LengthRole,  ///< s; invalid while it is unknown
        BadgeRole,
        MissingRole,
        FavoriteRole,
        FramesRole,
        FactsRole  ///< "Kinescope demo, 128 × 128, 25 frames, seed 7"
    };

    HistoryModel(EngineBridge& bridge, QSettings& settings, const QDir& thumbnails, QObject* parent = nullptr);
    ~HistoryModel() override;

    /// Scans a folder. Videos deleted since its last scan stay in the list as missing; those of another folder leave
    /// it.
    void scan(const QString& folder);
    /// Returns the folder of the last scan, which may not have ended yet. Empty before the first scan.
    const QString& folder() const { return asked_; }
    void setFilter(const HistoryFilter& filter);
    const HistoryFilter& filter() const { return filter_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QStringList mimeTypes() const override { return {QStringLiteral("text/uri-list")}; }
    QMimeData* mimeData(const QModelIndexList& indexes) const override;

    /// Returns the video with this path, or nullptr if there is none.
    const HistoryItem* item(const QString& file) const;
    /// Returns all videos, newest first, regardless of the filter.
    const std::vector<HistoryItem>& items() const { return items_; }
    int numVideos() const { return static_cast<int>(items_.size()); }
    int numShown() const { return num_shown_; }
    qint64 bytes() const;
    /// Returns the row of a video, or -1 if the filter hides it or if its row is not loaded.
    int rowOf(const QString& file) const;
    /// Loads rows up to that of a video and returns it, or -1 if the filter hides it.
    int loadRowOf(const QString& file);
    ThumbnailStore& thumbnails() { return thumbnails_; }

    void toggleFavorite(const QString& file);
    /// Moves the video to the trash on a background thread, and its numeric log if no other video has the same name. A
    /// missing video only leaves the list. Then calls `done` with an error message, or with an empty string on success.
    void moveToTrash(const QString& file, const std::function<void(const QString& fault)>& done);
    /// Returns whether moveToTrash() also moves the numeric log of a video.
    bool movesLog(const QString& file) const;

    /// Updates the day headings after a language change.
    void retranslate() { arrange(); }

Q_SIGNALS:
    void changed();
    /// A folder scan is complete.
    void scanned();
    void itemChanged(const QString& file);

private:
    struct Row {
        int item = -1;  ///< index in items_; -1: heading
        QString heading;
    };

    void onScanned(const QString& folder, std::vector<HistoryItem> items);
    /// Resets the model around a change of items_.
    void changeItems(const std::function<void()>& change);
    void onSettingsRead(const std::filesystem::path& video, const std::optional<VideoRequest>& request);
    void readNextSettings();
    /// Reads the length of a file whose settings do not tell it: a continued video, one of several parts, another one.
    /// Called when a view shows the row, because the engine reads the whole file; asks once for each version of a file.
    void readLength(HistoryItem& measured);
    void arrange();
    void fillRows();
    int shownRowOf(const QString& file) const;
    bool hasNameOfItsOwn(const HistoryItem& item) const;
    HistoryItem* find(const QString& file);
    void emitItemChanged(const QString& file);

    EngineBridge& bridge_;
    QSettings& settings_;
    mutable ThumbnailStore thumbnails_;
    QString asked_;   ///< the folder of the last call of scan()
    QString folder_;  ///< the folder of items_
    std::vector<HistoryItem> items_;
    QHash<QString, int> places_;  ///< index in items_ by path
    std::vector<Row> rows_;       ///< rows that match the filter
    int loaded_ = 0;              ///< rows loaded by the views
    int num_shown_ = 0;
    HistoryFilter filter_;
    QString awaited_;
    QTimer arrangeTimer_;   ///< collects changes, because the settings of thousands of videos arrive one by one
    std::size_t next_ = 0;  ///< items before this index have been queried for their settings
    int scan_ = 0;
    QThreadPool pool_;
};

}  // namespace kinescope::ui
