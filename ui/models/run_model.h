#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <array>
#include <optional>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/eta_rule.h"
#include "ui/models/run_state.h"

namespace kinescope::ui {

/// How far a phase is, for the phase bar.
struct PhaseView {
    enum class Part { ahead, current, done };
    Part part = Part::ahead;
    double seconds = 0;  ///< elapsed when current or done; expected when ahead, 0: not known
    int doneUnits = 0;
    int totalUnits = 0;
};

/// Everything about the run that is going on, or the last one.
struct RunFacts {
    RunState state = RunState::idle;
    JobId job = 0;          ///< 0: not known yet
    bool stopping = false;  ///< Stop was pressed, the engine has not stopped yet
    bool pausing = false;   ///< the same of Pause
    int keptSteps = 0;      ///< of a run that was stopped, until the user decides what becomes of them; 0: none
    bool resumed = false;   ///< it goes on after a pause: what was shown of it still holds
    VideoRequest request;   ///< resolved once the engine has started it
    PolicySummary policy;
    RunProgress progress;
    std::vector<GuardActed> repairs;         ///< what the guard raised in this run, in order
    std::vector<GuardActed> knownOverrides;  ///< what earlier runs had to raise, in place from the start
    std::array<PhaseView, kNumPhases> phases;
    RunResult result;  ///< of a run that is done
    std::optional<Error> error;
    RunCancelled cancelled;
    RunPaused paused;
};

/// Follows the run on stage by the engine's events: the one that was started here, or the queue's. Lives on the GUI
/// thread.
class RunModel : public QObject {
    Q_OBJECT

public:
    explicit RunModel(EngineBridge& bridge, QObject* parent = nullptr);

    /// Gives the request to an engine that is idle. Does nothing while a run goes on.
    void start(const VideoRequest& request, const Plan* plan);
    /// The finished steps are kept until the user decides: decodeNow, proceed or discard. Without any the run is
    /// cancelled.
    void stop();
    /// Makes the video of the steps that a stopped run kept.
    void decodeNow();
    /// Deletes them.
    void discard();
    /// Leaves the stopped run in the queue; what waits begins.
    void decideLater();
    /// After the current step; the job stays in the queue.
    void pause();
    /// Goes on with a paused run, or a stopped one whose steps are kept.
    void proceed();
    /// A stopped or failed run again, from its first step.
    void startOver();

    const RunFacts& facts() const { return facts_; }
    RunState state() const { return facts_.state; }
    bool running() const { return isRunning(facts_.state); }
    /// Seconds left at this moment; nothing: not known yet.
    std::optional<double> secondsLeft() const;
    std::optional<double> phaseSecondsLeft() const;
    /// How long decoding takes by the plan; nothing: not known.
    std::optional<double> decodeSeconds() const;
    /// 0..1 of the whole run's time; nothing: not known yet.
    std::optional<double> fractionDone() const;
    /// The phases as they are at this moment, with the time of the current one.
    std::array<PhaseView, kNumPhases> phases() const;

Q_SIGNALS:
    void stateChanged(kinescope::ui::RunState state);
    /// Steps or progress, at most once for each batch of events.
    void progressed();
    void previewArrived(const kinescope::PreviewReady& preview);
    void logged(const kinescope::LogLine& line);

private:
    void take(const std::vector<WindowEvent>& events);
    void apply(const WindowEvent& event);
    void begin(const RunStarted& started);
    bool awaitsDecision() const { return facts_.state == RunState::stopped && facts_.keptSteps > 0; }
    void keepSteps(int steps);
    void changeState(RunState state);
    void beginPhase(const PhaseStarted& phase);
    void finishPhases();
    RunProgress progressNow() const;
    double secondsSpent() const;
    void holdQueue();
    void letQueueGo();

    EngineBridge& bridge_;
    RunFacts facts_;
    std::optional<PhaseSeconds> expected_;
    QElapsedTimer runClock_;
    double secondsBefore_ = 0;  ///< of this run, before its last pause
    QElapsedTimer phaseClock_;
    bool holdsQueue_ = false;  ///< since the pause
};

}  // namespace kinescope::ui
