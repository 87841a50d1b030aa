#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>
#include <functional>

#include "core/api/job.h"
#include "ui/models/preferences.h"

class QWidget;

namespace kinescope::ui {

class NoticeBoard;
class QueueModel;

/// Acts when the last job of the queue has ended: does nothing, sends a notification, or closes the window, which the
/// user can cancel for half a minute. Does not act when the user empties the queue.
///
/// The window closes only while its notice is visible in the board: another notice, which may be about a new problem,
/// calls the closing off. An open dialog, such as that of a running export, delays it.
class QueueEnd : public QObject {
    Q_OBJECT

public:
    struct Parts {
        QueueModel& queue;
        NoticeBoard& notices;
        Preferences preferences;
        std::function<void()> showNotices;  ///< switches to the page of the notices
    };

    /// `window` becomes the parent. All parts must outlive this object.
    QueueEnd(QWidget& window, const Parts& parts);

    bool isClosing() const { return closing_.isActive(); }

Q_SIGNALS:
    /// Emitted when the queue has ended and the user wants a notification.
    void ended(int finished, int failed);

private:
    void onQueueChanged();
    void carryOut();
    void closeSoon();
    void countDown();
    bool isNoticeShown() const;
    void callOff();

    QWidget& window_;
    Parts parts_;
    QSet<JobId> begun_;  ///< open jobs since the queue was last empty
    QTimer closing_;     ///< ticks until the window closes
    int ticksLeft_ = 0;
};

}  // namespace kinescope::ui
