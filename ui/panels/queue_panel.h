#pragma once

#include "core/api/job_record.h"
#include "ui/widgets/island.h"

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

/// The queue of jobs. Keys in the list: Alt+Up and Alt+Down move, Enter edits, Ctrl+D duplicates, Del removes.
class QueuePanel : public Island {
    Q_OBJECT

public:
    QueuePanel(const Theme& theme, EngineBridge& bridge, QueueModel& queue, QWidget* parent = nullptr);

    QListView* view() const { return view_; }
    /// "nothing", "notify" or "close": what is done when the last job has ended.
    void setWhenDone(const QString& what);

Q_SIGNALS:
    /// A job that waits shall be changed on the Create page.
    void editWanted(const kinescope::JobRecord& job);
    /// One more of the same.
    void duplicateWanted(const kinescope::JobRecord& job);
    void useSettingsWanted(const kinescope::JobRecord& job);
    void showInFolderWanted(const QString& file);
    void exportWanted();
    void whenDoneChosen(const QString& what);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* iconButton(const char* name, const char* icon);
    void say();
    void buildHeader();
    void buildView();
    void buildFooter();
    bool key(int key, Qt::KeyboardModifiers modifiers);
    const JobRecord* chosen() const;
    void activate(const JobRecord& job);
    void help(const JobRecord& job);
    void showMenu(const QPoint& where);
    void addOrders(QMenu& menu, const JobRecord& job);
    void present();

    const Theme& theme_;
    EngineBridge& bridge_;
    QueueModel& queue_;
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
};

}  // namespace kinescope::ui
