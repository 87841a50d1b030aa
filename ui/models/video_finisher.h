#pragma once

#include <QObject>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// Makes a finished copy of a video in the background. Pauses when it is deleted.
class VideoFinisher : public QObject {
    Q_OBJECT

public:
    explicit VideoFinisher(EngineBridge& bridge, QObject* parent = nullptr);
    ~VideoFinisher() override;

    /// Does nothing while it is running.
    void start(const FinishRequest& request);
    /// Stops the call and keeps its finished parts: start() with the same request continues after them.
    void pause();
    /// Stops the call and discards its finished parts.
    void cancel();
    bool isRunning() const { return id_ != 0; }

Q_SIGNALS:
    void progressed(const kinescope::FinishProgress& progress);
    void finished(const kinescope::FinishResult& result);
    /// Also after pause() and cancel(), with ErrorCode::cancelled. The error has a hint if finished parts are kept.
    void failed(const kinescope::Error& error);

private:
    EngineBridge& bridge_;
    FinishId id_ = 0;  ///< of the running call; 0: none
};

}  // namespace kinescope::ui
