#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>

#include "core/api/job.h"
#include "ui/models/preferences.h"

class QWidget;

namespace kinescope::ui {

class NoticeBoard;
class QueueModel;

/// Acts when the last job of the queue has ended: does nothing, sends a notification, or closes the window, which the
/// user can cancel for half a minute. Does not act when the user empties the queue.
class QueueEnd : public QObject {
    Q_OBJECT

public:
    struct Parts {
        QueueModel& queue;
        NoticeBoard& notices;
        Preferences preferences;
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

    QWidget& window_;
    Parts parts_;
    QSet<JobId> begun_;  ///< open jobs since the queue was last empty
    QTimer closing_;
};

}  // namespace kinescope::ui
