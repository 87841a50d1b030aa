#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <array>
#include <optional>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/eta_rule.h"
#include "ui/models/run_state.h"
#include "ui/models/run_tracker.h"

namespace kinescope::ui {

/// The progress of a phase, for the phase bar.
struct PhaseView {
    enum class Part { ahead, current, done };
    Part part = Part::ahead;
    double seconds = 0;  ///< elapsed if done or current; expected if not started; 0: unknown
    int doneUnits = 0;
    int totalUnits = 0;
};

/// Whether the events of a run arrive.
enum class Contact {
    present,
    lost,  ///< the computer of the run can't be reached; how far it is now is unknown
    over   ///< the run is over, and its results are fetched from its computer
};

/// The state of the current or last run.
struct RunFacts {
    RunState state = RunState::idle;
    JobId job = 0;            ///< 0: not yet known
    bool stopping = false;    ///< Stop was pressed, but the engine has not stopped yet
    bool pausing = false;     ///< Pause was pressed, but the engine has not paused yet
    int keptSteps = 0;        ///< completed steps of a stopped run until the user decides about them; 0: none
    bool resumed = false;     ///< resumed after a pause; earlier data is still valid
    VideoRequest request;     ///< resolved after the start
    bool takesPrompt = true;  ///< false: the model encodes only an image
    PolicySummary policy;
    RunProgress progress;
    std::optional<FinishProgress> finish;    ///< of larger or interpolated frames; unset: none yet
    std::optional<GuardActed> redoing;       ///< the action that repeats a step; unset if no step is being repeated
    double healingSeconds = 0;               ///< of the attempts that the guard discarded
    std::vector<GuardActed> repairs;         ///< ops that the guard raised in this run, in order
    std::vector<GuardActed> knownOverrides;  ///< overrides from earlier runs, applied from the start
    std::array<PhaseView, kNumPhases> phases;
    RunResult result;  ///< of a finished run
    std::optional<Error> error;
    RunCancelled cancelled;
    RunPaused paused;
};

/// Follows the active run, which was started here or by the queue. Lives on the GUI thread.
class RunModel : public QObject {
    Q_OBJECT

public:
    explicit RunModel(EngineBridge& bridge, QObject* parent = nullptr);

    /// Shows a request as the next run, just before it is submitted to an idle queue. Does nothing during a run.
    void expect(const VideoRequest& request, const Plan* plan);
    /// Sets the outputs of an expected run, whose files get their names later.
    void setExpectedOutput(const OutputRequest& output);
    /// Sets the planned times of a run that was not expected.
    void setPlanned(const PhaseSeconds& planned);
    /// Stops the run. Completed steps are kept until the user calls decodeNow, proceed or discard; without any, the run
    /// is cancelled.
    void stop();
    /// Decodes the completed steps of a stopped run.
    void decodeNow();
    /// Deletes the completed steps.
    void discard();
    /// Leaves the stopped run in the queue and starts the next job.
    void decideLater();
    /// Pauses after the current step; the job stays in the queue.
    void pause();
    /// Resumes a paused or stopped run.
    void proceed();
    /// Restarts a stopped or failed run at its first step.
    void startOver();

    const RunFacts& facts() const { return facts_; }
    RunState state() const { return facts_.state; }
    bool running() const { return isRunning(facts_.state); }
    /// Unless it is present, the remaining times are unknown.
    Contact contact() const { return contact_; }
    /// `computer`: the one to which the contact is lost while the run goes on there; empty: none.
    void setContact(Contact contact, const QString& computer = {});
    QString lostComputer() const { return lostComputer_; }
    /// Returns true if the run has ended on its computer and its results are still to be fetched. It can't be paused or
    /// stopped then.
    bool isFetching() const;
    /// Returns the remaining seconds, as they were known when progressed() was emitted last, so that they are the same
    /// everywhere in the window. nullopt: they are unknown, or the run takes longer than expected.
    std::optional<double> secondsLeft() const;
    std::optional<double> phaseSecondsLeft() const;
    /// Returns the planned seconds for decoding, or nullopt if they are unknown.
    std::optional<double> decodeSeconds() const;
    /// Returns the elapsed share of the run's time, 0 to 1, or nullopt if it is unknown.
    std::optional<double> fractionDone() const;
    /// Returns the phases, including the elapsed time of the current one.
    std::array<PhaseView, kNumPhases> phases() const;

Q_SIGNALS:
    void stateChanged(kinescope::ui::RunState state);
    /// Emitted at most once per batch of events, and several times per second during a run, because time passes.
    void progressed();
    void previewArrived(const kinescope::PreviewReady& preview);
    void logged(const kinescope::LogLine& line);

private:
    void onEvents(const std::vector<WindowEvent>& events);
    void apply(const WindowEvent& event);
    void begin(const RunStarted& started);
    bool awaitsDecision() const { return facts_.state == RunState::stopped && facts_.keptSteps > 0; }
    void keepSteps(int steps);
    /// Shows that the completed steps are gone.
    void loseSteps(int steps);
    void leaveLostJob();
    void changeState(RunState state);
    void track(const WindowEvent& event);
    void beginPhase(const PhaseStarted& phase);
    void finishPhases();
    double secondsSpent() const;
    void countTime();
    void reportProgress();
    void holdQueue();
    void releaseQueue();

    EngineBridge& bridge_;
    RunFacts facts_;
    RunTracker tracker_;
    Contact contact_ = Contact::present;
    QString lostComputer_;
    QTimer clock_;                         ///< active during a run
    std::optional<PhaseSeconds> planned_;  ///< of all parts
    std::optional<double> left_;           ///< remaining seconds; not below 0
    QElapsedTimer runClock_;
    double secondsBefore_ = 0;   ///< seconds of this run before its last pause
    double fractionShown_ = 0;   ///< the last known fractionDone()
    double fractionBefore_ = 0;  ///< fractionDone() before the run was resumed; it does not fall below this
    bool holdsQueue_ = false;    ///< true while a paused or stopped run keeps the queue from continuing
};

}  // namespace kinescope::ui
