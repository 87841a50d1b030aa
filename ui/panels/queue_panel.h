#pragma once

#include "core/api/job.h"
#include "ui/widgets/card.h"

class QComboBox;
class QLabel;
class QAction;
class QPushButton;
class QListView;
class QMenu;
class QToolButton;

namespace kinescope::ui {

class EngineBridge;
class NoticeStrip;
class QueueModel;
class Theme;
class VideoActions;

/// The queue of jobs. Keys in the list: Alt+Up and Alt+Down move, Enter edits, Ctrl+D duplicates with a new seed, Del
/// removes.
class QueuePanel : public Card {
    Q_OBJECT

public:
    QueuePanel(const Theme& theme, EngineBridge& bridge, QueueModel& queue, VideoActions& videos,
               QWidget* parent = nullptr);

    QListView* view() const { return view_; }
    /// Selects what happens after the last job: "nothing", "notify" or "close".
    void setWhenDone(const QString& what);

Q_SIGNALS:
    /// Emitted when the user wants to edit a waiting job on the Create page.
    void editRequested(const kinescope::Job& job);
    /// Emitted when the user requests a copy of a job.
    void duplicateRequested(const kinescope::Job& job);
    void useSettingsRequested(const kinescope::Job& job);
    void exportRequested();
    void whenDoneChosen(const QString& what);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    void offerUndo();
    void buildHeader();
    void buildView();
    void buildFooter();
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    const Job* selectedJob() const;
    void activate(const Job& job);
    void activateLink(const Job& job);
    void showMenu(const QPoint& where);
    void addJobActions(QMenu* menu, const Job& job);
    void addVideoActions(QMenu* menu, const QString& file);
    void updateContent();

    const Theme& theme_;
    EngineBridge& bridge_;
    QueueModel& queue_;
    VideoActions& videos_;
    QLabel* count_;
    QToolButton* hold_;
    QToolButton* more_;
    NoticeStrip* strip_;
    QListView* view_;
    QLabel* empty_;
    QLabel* whenDoneLabel_;
    QComboBox* whenDone_;
    QLabel* saved_;
    QPushButton* export_;
    QAction* clear_ = nullptr;
    QAction* wake_ = nullptr;
    QString removed_;  ///< begin of the removed job's prompt
};

}  // namespace kinescope::ui
