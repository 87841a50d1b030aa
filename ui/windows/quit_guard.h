#pragma once

#include <QObject>

#include "ui/models/run_state.h"
#include "ui/windows/quit_dialog.h"

class QWidget;

namespace kinescope::ui {

class EngineBridge;
class NoticeBoard;
class QueueDesk;
class RunModel;
class Theme;
struct Desktop;

/// Sees to it that a video in the making is not lost when the window is closed: it is finished first, or goes on with
/// the next start.
class QuitGuard : public QObject {
    Q_OBJECT

public:
    struct Parts {
        const Theme& theme;
        EngineBridge& bridge;
        RunModel& run;
        QueueDesk& desk;
        NoticeBoard& notices;
        const Desktop& desktop;
    };

    /// `window` becomes the parent, and that of the question. All parts must outlive it.
    QuitGuard(QWidget& window, const Parts& parts);

    /// Asks where there is something to ask.
    bool mayQuit();

private:
    QuitAnswer ask();
    void quitLater();
    void follow(RunState state);

    QWidget& window_;
    Parts parts_;
    bool quitWhenDone_ = false;
};

}  // namespace kinescope::ui
