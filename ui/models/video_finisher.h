#pragma once

#include <QObject>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// Makes a finished copy of a video in the background. Stops when it is deleted.
class VideoFinisher : public QObject {
    Q_OBJECT

public:
    explicit VideoFinisher(EngineBridge& bridge, QObject* parent = nullptr);
    ~VideoFinisher() override;

    /// Does nothing while it is running.
    void start(const FinishRequest& request);
    void cancel();
    bool isRunning() const { return id_ != 0; }

Q_SIGNALS:
    void progressed(const kinescope::FinishProgress& progress);
    void finished(const kinescope::FinishResult& result);
    /// Also after cancel(), with ErrorCode::cancelled.
    void failed(const kinescope::Error& error);

private:
    EngineBridge& bridge_;
    FinishId id_ = 0;  ///< of the running call; 0: none
};

}  // namespace kinescope::ui
