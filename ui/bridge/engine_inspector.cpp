#include "ui/bridge/engine_inspector.h"

#include <QElapsedTimer>

namespace kinescope::ui {

EngineInspector::EngineInspector(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {}

void EngineInspector::askModels() {
    bridge_.askAside(
        this, [](Engine& engine) { return engine.models(); },
        [this](const std::vector<ModelCard>& models) { Q_EMIT modelsFound(models); },
        [this](const Error& error) { Q_EMIT modelsFailed(error); });
}

void EngineInspector::askDescription(const std::string& model) {
    bridge_.askAside(
        this, [model](Engine& engine) { return engine.describe_checkpoint(model); },
        [this, model](const CheckpointDescription& description) { Q_EMIT described(model, description); },
        [this, model](const Error& error) { Q_EMIT describeFailed(model, error); });
}

void EngineInspector::askDoctor(CanaryMode mode) {
    bridge_.askAside(
        this, [mode](Engine& engine) { return engine.doctor(mode); },
        [this](const DoctorReport& report) { Q_EMIT examined(report); },
        [this](const Error& error) { Q_EMIT examineFailed(error); });
}

void EngineInspector::forgetOverrides() {
    bridge_.askAside(
        this, [](Engine& engine) { return engine.forget_overrides(); },
        [this](int count) { Q_EMIT overridesForgotten(count); },
        [this](const Error& error) { Q_EMIT examineFailed(error); });
}

void EngineInspector::askCompare(const std::string& a, const std::string& b) {
    bridge_.askAside(
        this, [a, b](Engine& engine) { return engine.compare(a, b, CompareTolerance{}); },
        [this, a, b](const CompareReport& report) { Q_EMIT compared(a, b, report); },
        [this, a, b](const Error& error) { Q_EMIT compareFailed(a, b, error); });
}

void EngineInspector::askCheck(const std::string& file, const StopFlag& stop) {
    constexpr int kTellMs = 100;
    auto tell = [this, alive = QPointer<QObject>(this), file](double share) {
        bridge_.post([this, alive, file, share] {
            if (alive) Q_EMIT checkWentOn(file, share);
        });
    };
    auto check = [&bridge = bridge_, file, stop, tell](Engine& engine) {
        QElapsedTimer sinceTold;
        sinceTold.start();
        return engine.check_file(file, [&](std::int64_t done, std::int64_t total) {
            if (sinceTold.elapsed() >= kTellMs) {
                sinceTold.restart();
                tell(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0);
            }
            return !*stop && !bridge.isClosing();
        });
    };
    bridge_.askAside(
        this, check, [this](const FileCheck& found) { Q_EMIT fileChecked(found); },
        [this, file](const Error& error) { Q_EMIT checkFailed(file, error); }, EngineBridge::Lane::files);
}

void EngineInspector::askSettings(const std::string& video) {
    bridge_.askAside(
        this, [video](Engine& engine) { return engine.read_settings(video); },
        [this, video](const VideoRequest& request) { Q_EMIT settingsRead(video, request); },
        [this, video](const Error& error) { Q_EMIT settingsFailed(video, error); });
}

void EngineInspector::askFrames(const std::string& video, const FrameSelection& selection) {
    bridge_.askAside(
        this, [video, selection](Engine& engine) { return engine.read_frames(video, selection); },
        [this, video](const std::vector<FramePtr>& frames) { Q_EMIT framesRead(video, frames); },
        [this, video](const Error& error) { Q_EMIT framesFailed(video, error); });
}

}  // namespace kinescope::ui
