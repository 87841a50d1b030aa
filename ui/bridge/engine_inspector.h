#pragma once

#include <QObject>
#include <map>
#include <string>
#include <vector>

#include "ui/bridge/engine_bridge.h"
#include "ui/bridge/newest.h"

namespace kinescope::ui {

/// Asks the engine slow questions about files and the computer, on separate lanes, so that plans do not wait for them.
/// Lives on the GUI thread; results arrive as signals.
class EngineInspector : public QObject {
    Q_OBJECT

public:
    explicit EngineInspector(EngineBridge& bridge, QObject* parent = nullptr);

    EngineBridge& bridge() const { return bridge_; }
    void askModels();
    /// Asks for the description of a model. `model` is the id of a model card or a path.
    void askDescription(const std::string& model);
    void askDoctor(CanaryMode mode);
    /// Returns true until all calls of askDoctor() are answered.
    bool isExamining() const { return numExaminations_ > 0; }
    void forgetOverrides();
    /// Begins a round of askCompare(), askSettings(), askShape() and askFrames(). Cancels the comparisons and the
    /// reading of frames of the round before, and drops its other requests and all its answers.
    void beginComparison();
    void askCompare(const std::string& a, const std::string& b);
    /// Checks a weight file with ModelCatalog::check_file. Returns the id for stopCheck().
    CheckId askCheck(const std::string& file);
    /// Cancels a check, which then emits no further signals.
    void stopCheck(CheckId id);
    void askSettings(const std::string& video);
    /// Answered before later requests for settings or frames.
    void askShape(const std::string& video);
    void askFrames(const std::string& video, const FrameSelection& selection);

Q_SIGNALS:
    void modelsFound(const std::vector<kinescope::ModelCard>& models);
    void modelsFailed(const kinescope::Error& error);
    void described(const std::string& model, const kinescope::CheckpointDescription& description);
    void describeFailed(const std::string& model, const kinescope::Error& error);
    void examined(const kinescope::DoctorReport& report);
    void examineFailed(const kinescope::Error& error);
    /// Emitted when the overrides have been deleted. `count` is the number of pairs of device and model that had
    /// overrides.
    void overridesForgotten(int count);
    void compared(const std::string& a, const std::string& b, const kinescope::CompareReport& report);
    void compareFailed(const std::string& a, const std::string& b, const kinescope::Error& error);
    /// Emitted during a check. `share` is the part of the file that has been read, 0 to 1.
    void checkProgressed(const std::string& file, double share);
    void fileChecked(const kinescope::FileCheck& check);
    void checkFailed(const std::string& file, const kinescope::Error& error);
    void settingsRead(const std::string& video, const kinescope::VideoRequest& request);
    void settingsFailed(const std::string& video, const kinescope::Error& error);
    /// Not emitted for a video that cannot be read; framesFailed() is.
    void shapeRead(const std::string& video, const kinescope::VideoDescription& shape);
    void framesRead(const std::string& video, const std::vector<kinescope::FramePtr>& frames);
    void framesFailed(const std::string& video, const kinescope::Error& error);

private:
    void tellProgress(const FileCheckProgress& progress);
    /// Makes a request of the current round of comparisons.
    template <class Work, class Deliver, class Refuse>
    void requestOfRound(Lane lane, Work work, Deliver deliver, Refuse refuse);

    EngineBridge& bridge_;
    int numExaminations_ = 0;                ///< unanswered calls of askDoctor()
    std::map<CheckId, std::string> checks_;  ///< files being checked
    std::vector<DiagnosticId> comparisons_;  ///< of the current round, as the reads
    std::vector<ReadId> reads_;
    Newest round_;
};

}  // namespace kinescope::ui
