#pragma once

#include <QObject>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// Installs GPU support with the engine's GpuInstaller, on separate lanes. Lives on the GUI thread; results arrive as
/// signals.
class EngineInstaller : public QObject {
    Q_OBJECT

public:
    explicit EngineInstaller(EngineBridge& bridge, QObject* parent = nullptr);

    void askSetup();
    /// Starts or resumes the installation.
    void install();
    /// Stops the installation and keeps the downloaded data. The stopped installation emits no further signals.
    void stop();
    bool isRunning() const { return running_ != 0; }

Q_SIGNALS:
    void setupFound(const kinescope::GpuSetup& setup);
    void progressed(const kinescope::GpuSupportProgress& progress);
    void installed();
    void failed(const kinescope::Error& error);

private:
    EngineBridge& bridge_;
    InstallId running_ = 0;  ///< 0: none
};

}  // namespace kinescope::ui
