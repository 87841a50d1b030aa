#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>

#include "core/api/job_record.h"
#include "ui/models/preferences.h"

class QWidget;

namespace kinescope::ui {

class NoticeBoard;
class QueueModel;

/// Does what was asked for when the last job of the queue has ended: nothing, a notification, or closing the window,
/// which can be called off for half a minute. A queue that somebody emptied has not ended.
class QueueEnd : public QObject {
    Q_OBJECT

public:
    struct Parts {
        QueueModel& queue;
        NoticeBoard& notices;
        Preferences preferences;
    };

    /// `window` becomes the parent. All parts must outlive it.
    QueueEnd(QWidget& window, const Parts& parts);

    bool isClosing() const { return closing_.isActive(); }

Q_SIGNALS:
    /// The queue has ended and somebody wants to hear of it.
    void ended(int finished, int failed);

private:
    void look();
    void act();
    void closeSoon();

    QWidget& window_;
    Parts parts_;
    QSet<JobId> begun_;  ///< jobs that were to be made since the queue was empty last
    QTimer closing_;
};

}  // namespace kinescope::ui
