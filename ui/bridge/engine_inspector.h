#pragma once

#include <QObject>
#include <atomic>
#include <memory>
#include <string>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// Shared between who asks for a stop and who looks.
using StopFlag = std::shared_ptr<std::atomic<bool>>;

/// Questions about files and the machine that may take long: they are asked on a thread of their own, one after the
/// other, so that a plan need not wait for them. Lives on the GUI thread; answers come back as signals.
class EngineInspector : public QObject {
    Q_OBJECT

public:
    explicit EngineInspector(EngineBridge& bridge, QObject* parent = nullptr);

    void askModels();
    /// `model` as a card's id names it: "builtin" or a path.
    void askDescription(const std::string& model);
    void askDoctor(CanaryMode mode);
    void forgetOverrides();
    void askCompare(const std::string& a, const std::string& b);
    /// Reads a file of weights from end to end, beside all other questions, until `stop` says so.
    void askCheck(const std::string& file, const StopFlag& stop);
    void askSettings(const std::string& video);
    void askFrames(const std::string& video, const FrameSelection& selection);

Q_SIGNALS:
    void modelsFound(const std::vector<kinescope::ModelCard>& models);
    void modelsFailed(const kinescope::Error& error);
    void described(const std::string& model, const kinescope::CheckpointDescription& description);
    void describeFailed(const std::string& model, const kinescope::Error& error);
    void examined(const kinescope::DoctorReport& report);
    void examineFailed(const kinescope::Error& error);
    /// For how many devices and models something was forgotten.
    void overridesForgotten(int count);
    void compared(const std::string& a, const std::string& b, const kinescope::CompareReport& report);
    void compareFailed(const std::string& a, const std::string& b, const kinescope::Error& error);
    /// A few times a second.
    void checkWentOn(const std::string& file, double share);
    void fileChecked(const kinescope::FileCheck& check);
    void checkFailed(const std::string& file, const kinescope::Error& error);
    void settingsRead(const std::string& video, const kinescope::VideoRequest& request);
    void settingsFailed(const std::string& video, const kinescope::Error& error);
    void framesRead(const std::string& video, const std::vector<kinescope::FramePtr>& frames);
    void framesFailed(const std::string& video, const kinescope::Error& error);

private:
    EngineBridge& bridge_;
};

}  // namespace kinescope::ui
