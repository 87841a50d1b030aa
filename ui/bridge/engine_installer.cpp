#include "ui/bridge/engine_installer.h"

#include <utility>

namespace kinescope::ui {

EngineInstaller::EngineInstaller(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
    connect(&bridge_, &EngineBridge::gpuSupportProgressed, this, [this](const GpuSupportProgress& progress) {
        if (isRunning()) Q_EMIT progressed(progress);
    });
}

void EngineInstaller::askSetup() {
    bridge_.request(
        Lane::slow, this, [](Engine& engine) { return engine.gpu_installer().setup(); },
        [this](const GpuSetup& setup) { Q_EMIT setupFound(setup); },
        [this](const Error& error) { Q_EMIT failed(error); });
}

void EngineInstaller::install() {
    const InstallId id = running_ = bridge_.newInstallId();
    const auto ends = [this, id] { return running_ == id && std::exchange(running_, 0) == id; };
    bridge_.request(
        Lane::downloads, this, [id](Engine& engine) { engine.gpu_installer().install(id); },
        [this, ends] {
            if (ends()) Q_EMIT installed();
        },
        [this, ends](const Error& error) {
            if (ends()) Q_EMIT failed(error);
        });
}

void EngineInstaller::stop() {
    const InstallId id = std::exchange(running_, 0);
    if (id == 0) return;
    bridge_.request(
        Lane::orders, this, [id](Engine& engine) { engine.gpu_installer().stop(id); }, [] {}, [](const Error&) {});
}

}  // namespace kinescope::ui
