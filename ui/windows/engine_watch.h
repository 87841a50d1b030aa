#pragma once

#include <QObject>
#include <functional>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

class LogPanel;
class NoticeBoard;

/// Tells the user when the engine warns about a run, and when its process has ended or cannot be started: a notice, and
/// its last messages in the log. Offers to continue a job that was set aside.
class EngineWatch : public QObject {
    Q_OBJECT

public:
    struct Parts {
        EngineBridge& bridge;
        NoticeBoard& notices;
        LogPanel& log;
        std::function<void()> showLog;
    };

    /// All parts must outlive this object.
    EngineWatch(const Parts& parts, QObject* parent);

private:
    void showWarnings(const std::vector<JobEvent>& events);
    void logUnlessShown(JobId job, const QString& message);
    void show(const EngineEndOfJob& end);
    void showFailure(const Error& error);

    Parts parts_;
};

}  // namespace kinescope::ui
