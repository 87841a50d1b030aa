#pragma once

#include <QElapsedTimer>
#include <optional>

#include "ui/bridge/run_mailbox.h"
#include "ui/models/eta_rule.h"

namespace kinescope::ui {

/// Follows the progress of one run by its events. A run that starts again goes on: its steps are counted once. Events
/// may arrive late or be missing, because a cluster is asked every few seconds and a connection can be lost.
class RunTracker {
public:
    /// Sets the request of a run before it starts.
    void expect(const VideoRequest& request);
    void apply(const WindowEvent& event);

    /// Returns the progress with the times of now.
    RunProgress progress() const;
    /// The progress of larger or interpolated frames; nullopt: none yet.
    const std::optional<FinishProgress>& finish() const { return finish_; }

private:
    void begin(const RunStarted& started);
    void beginPart(int part);
    void beginPhase(const PhaseStarted& phase);
    void advance(const PhaseProgress& made);
    void advance(const FinishProgress& made);
    void advance(const StepCompleted& step);
    void startAt(const StepCompleted& step);
    void countFinishedFrames();

    RunProgress progress_;
    VideoRequest request_;
    std::optional<FinishProgress> finish_;
    double secondsReported_ = 0;  ///< of the phase, as the engine has measured them last
    QElapsedTimer reportClock_;   ///< since that report
    QElapsedTimer stepClock_;     ///< since the last step ended
};

}  // namespace kinescope::ui
