#pragma once

#include <QWidget>

#include "ui/models/history_model.h"

class QSplitter;

namespace kinescope::ui {

class DetailsPanel;
class EngineBridge;
class HistoryPanel;
class NoticeStrip;
class QueueModel;
class QueuePanel;
class Theme;
class VideoActions;

/// Shows the queue, the history, and the details of a video.
class LibraryPage : public QWidget {
    Q_OBJECT

public:
    LibraryPage(const Theme& theme, EngineBridge& bridge, QueueModel& queue, HistoryModel& history,
                QWidget* parent = nullptr);

    QueuePanel* queuePanel() const { return queue_; }
    HistoryPanel* historyPanel() const { return panel_; }
    DetailsPanel* detailsPanel() const { return details_; }
    /// Returns the selected video, or an empty string if none is selected.
    QString currentVideo() const;
    NoticeStrip* notice() const { return notice_; }

Q_SIGNALS:
    /// Emitted when another video is selected.
    void selectionChanged();
    void useSettingsRequested(const QString& file);
    void varyRequested(const kinescope::VideoRequest& request, int count);
    void showInFolderRequested(const QString& file);
    void exportRequested(const QString& file);
    void finishRequested(const QString& file);
    /// A new video is to follow this one.
    void continueRequested(const QString& file);
    /// Requests a comparison of two videos; `b` is empty if the user has to choose it.
    void compareRequested(const QString& a, const QString& b);

private:
    void fitParts();
    void showChosen();
    void compareChosen();
    void wireVideos();
    void play(const QString& file);
    void moveToTrash(const QStringList& files);

    const Theme& theme_;
    HistoryModel& history_;
    NoticeStrip* notice_;
    VideoActions* videos_;
    QueuePanel* queue_;
    HistoryPanel* panel_;
    DetailsPanel* details_;
};

}  // namespace kinescope::ui
