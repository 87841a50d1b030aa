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

/// The page of what is to be made and what was made: queue, history, and the details of one video.
class LibraryPage : public QWidget {
    Q_OBJECT

public:
    LibraryPage(const Theme& theme, EngineBridge& bridge, QueueModel& queue, HistoryModel& history,
                QWidget* parent = nullptr);

    QueuePanel* queuePanel() const { return queue_; }
    HistoryPanel* historyPanel() const { return panel_; }
    DetailsPanel* detailsPanel() const { return details_; }
    NoticeStrip* notice() const { return notice_; }

Q_SIGNALS:
    void useSettingsWanted(const QString& file);
    void varyWanted(const kinescope::VideoRequest& request, int count);
    void showInFolderWanted(const QString& file);
    /// Two videos of the history, for the page that compares.
    void compareWanted(const QString& a, const QString& b);

private:
    void showChosen();
    void compareChosen();
    void moveToBin(const QStringList& files);

    const Theme& theme_;
    HistoryModel& history_;
    NoticeStrip* notice_;
    QueuePanel* queue_;
    HistoryPanel* panel_;
    DetailsPanel* details_;
};

}  // namespace kinescope::ui
