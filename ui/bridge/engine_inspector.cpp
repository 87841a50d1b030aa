#include "ui/bridge/engine_inspector.h"

#include <optional>
#include <utility>

namespace kinescope::ui {

EngineInspector::EngineInspector(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
    connect(&bridge_, &EngineBridge::fileCheckProgressed, this, &EngineInspector::tellProgress);
}

void EngineInspector::askModels() {
    bridge_.request(
        Lane::slow, this, [](Engine& engine) { return engine.catalog().models(); },
        [this](const std::vector<ModelCard>& models) { Q_EMIT modelsFound(models); },
        [this](const Error& error) { Q_EMIT modelsFailed(error); });
}

void EngineInspector::askDescription(const std::string& model) {
    bridge_.request(
        Lane::slow, this, [model](Engine& engine) { return engine.catalog().describe_checkpoint(model); },
        [this, model](const CheckpointDescription& description) { Q_EMIT described(model, description); },
        [this, model](const Error& error) { Q_EMIT describeFailed(model, error); });
}

void EngineInspector::askDoctor(CanaryMode mode) {
    ++numExaminations_;
    bridge_.request(
        Lane::slow, this, [mode](Engine& engine) { return engine.diagnostics().doctor(mode); },
        [this](const DoctorReport& report) {
            --numExaminations_;
            Q_EMIT examined(report);
        },
        [this](const Error& error) {
            --numExaminations_;
            Q_EMIT examineFailed(error);
        });
}

void EngineInspector::forgetOverrides() {
    bridge_.request(
        Lane::slow, this, [](Engine& engine) { return engine.diagnostics().forget_overrides(); },
        [this](int count) { Q_EMIT overridesForgotten(count); },
        [this](const Error& error) { Q_EMIT examineFailed(error); });
}

void EngineInspector::beginComparison() {
    round_.begin();
    for (const DiagnosticId id : std::exchange(comparisons_, {})) bridge_.cancelDiagnostic(id);
    for (const ReadId id : std::exchange(reads_, {})) bridge_.cancelRead(id);
}

template <class Work, class Deliver, class Refuse>
void EngineInspector::requestOfRound(Lane lane, Work work, Deliver deliver, Refuse refuse) {
    const auto isCurrent = round_.current();
    using Answer = std::optional<decltype(work(std::declval<Engine&>()))>;
    bridge_.request(
        lane, this, [isCurrent, work](Engine& engine) { return isCurrent() ? Answer(work(engine)) : Answer(); },
        [isCurrent, deliver](const Answer& answer) {
            if (answer && isCurrent()) deliver(*answer);
        },
        [isCurrent, refuse](const Error& error) {
            if (isCurrent()) refuse(error);
        });
}

void EngineInspector::askCompare(const std::string& a, const std::string& b) {
    const DiagnosticId id = bridge_.newDiagnosticId();
    comparisons_.push_back(id);
    requestOfRound(
        Lane::comparisons,
        [a, b, id](Engine& engine) { return engine.diagnostics().compare(a, b, CompareTolerance{}, id); },
        [this, a, b](const CompareReport& report) { Q_EMIT compared(a, b, report); },
        [this, a, b](const Error& error) { Q_EMIT compareFailed(a, b, error); });
}

CheckId EngineInspector::askCheck(const std::string& file) {
    const CheckId id = bridge_.newCheckId();
    checks_[id] = file;
    bridge_.request(
        Lane::checks, this, [file, id](Engine& engine) { return engine.catalog().check_file(file, id); },
        [this, id](const FileCheck& found) {
            if (checks_.erase(id) > 0) Q_EMIT fileChecked(found);
        },
        [this, id, file](const Error& error) {
            if (checks_.erase(id) > 0) Q_EMIT checkFailed(file, error);
        });
    return id;
}

void EngineInspector::stopCheck(CheckId id) {
    checks_.erase(id);
    bridge_.request(
        Lane::orders, this, [id](Engine& engine) { engine.catalog().cancel_check(id); }, [] {}, [](const Error&) {});
}

void EngineInspector::tellProgress(const FileCheckProgress& progress) {
    const auto check = checks_.find(progress.check);
    if (check == checks_.end() || progress.total <= 0) return;
    Q_EMIT checkProgressed(check->second, static_cast<double>(progress.done) / static_cast<double>(progress.total));
}

void EngineInspector::askSettings(const std::string& video) {
    requestOfRound(
        Lane::clips, [video](Engine& engine) { return engine.videos().read_settings(video); },
        [this, video](const VideoRequest& request) { Q_EMIT settingsRead(video, request); },
        [this, video](const Error& error) { Q_EMIT settingsFailed(video, error); });
}

void EngineInspector::askShape(const std::string& video) {
    requestOfRound(
        Lane::clips, [video](Engine& engine) { return engine.videos().describe_video(video); },
        [this, video](const VideoDescription& shape) { Q_EMIT shapeRead(video, shape); }, [](const Error&) {});
}

void EngineInspector::askFrames(const std::string& video, const FrameSelection& selection) {
    const ReadId id = bridge_.newReadId();
    reads_.push_back(id);
    requestOfRound(
        Lane::clips,
        [video, selection, id](Engine& engine) { return engine.videos().read_frames(video, selection, id); },
        [this, video](const std::vector<FramePtr>& frames) { Q_EMIT framesRead(video, frames); },
        [this, video](const Error& error) { Q_EMIT framesFailed(video, error); });
}

}  // namespace kinescope::ui
