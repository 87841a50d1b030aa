#pragma once

#include <QObject>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

class LogPanel;
class NoticeBoard;

/// Tells the user when the engine's process has ended or cannot be started: a notice, and its last messages in the log.
/// Offers to continue a job that was set aside.
class EngineWatch : public QObject {
    Q_OBJECT

public:
    struct Parts {
        EngineBridge& bridge;
        NoticeBoard& notices;
        LogPanel& log;
    };

    /// All parts must outlive this object.
    EngineWatch(const Parts& parts, QObject* parent);

private:
    void show(const EngineEndOfJob& end);
    void showFailure(const Error& error);

    Parts parts_;
};

}  // namespace kinescope::ui
