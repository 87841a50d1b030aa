#pragma once

#include <QObject>
#include <QTimer>

#include "ui/models/run_state.h"
#include "ui/windows/quit_dialog.h"

class QWidget;

namespace kinescope::ui {

class EngineBridge;
class NoticeBoard;
class QueueController;
class RunModel;
class Theme;
struct Desktop;

/// Prevents the loss of a running video when the window is closed: the video is finished first, or the job continues at
/// the next start. If the run ends before the user has answered, the window stays open for the rest of the queue.
///
/// After the run, the window closes only while the notice about it is displayed and no dialog is open, such as that of
/// a running export.
class QuitGuard : public QObject {
    Q_OBJECT

public:
    struct Parts {
        const Theme& theme;
        EngineBridge& bridge;
        RunModel& run;
        QueueController& controller;
        NoticeBoard& notices;
        const Desktop& desktop;
    };

    /// `window` becomes the parent of this object and of the dialog. All parts must outlive this object.
    QuitGuard(QWidget& window, const Parts& parts);

    /// Returns true if the window may close. Asks the user if necessary.
    bool mayQuit();

private:
    bool allRunElsewhere() const;
    QuitAnswer askUser();
    bool isDone() const;
    void quitLater();
    void holdQueue();
    void keepOpen();
    void closeWhenPossible();
    void onRunStateChanged(RunState state);

    QWidget& window_;
    Parts parts_;
    bool quitWhenDone_ = false;
    bool isHoldDue_ = false;  ///< the queue must be held as soon as it would go on
    bool holdsQueue_ = false;
    QTimer closing_;  ///< runs while a finished run waits for a dialog or another notice
};

}  // namespace kinescope::ui
