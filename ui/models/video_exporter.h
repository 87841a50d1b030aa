#pragma once

#include <QObject>
#include <QTimer>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// Exports a video in the background and estimates its size. Stops the export when it is deleted.
class VideoExporter : public QObject {
    Q_OBJECT

public:
    explicit VideoExporter(EngineBridge& bridge, QObject* parent = nullptr);
    ~VideoExporter() override;

    /// Starts an export. Does nothing during an export.
    void start(const ExportRequest& request);
    void cancel();
    bool isRunning() const { return id_ != 0; }
    /// Estimates a size after a short delay. Only the newest estimate is reported.
    void estimate(const ExportRequest& request);

Q_SIGNALS:
    /// `share` is the exported part, 0 to 1.
    void progressed(double share);
    void finished(const kinescope::ExportResult& result);
    /// Emitted when an export has failed or, with ErrorCode::cancelled, after cancel().
    void failed(const kinescope::Error& error);
    void estimated(const kinescope::ExportEstimate& estimate);
    void estimateFailed(const kinescope::Error& error);

private:
    void requestEstimate();

    EngineBridge& bridge_;
    ExportId id_ = 0;  ///< of the running export; 0: none
    ExportRequest wanted_;
    int ticket_ = 0;
    QTimer delay_;
};

}  // namespace kinescope::ui
