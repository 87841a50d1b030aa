#pragma once

#include <deque>
#include <map>
#include <set>
#include <utility>

#include "core/numerics/numeric_log.h"
#include "core/numerics/numerics_guard.h"
#include "core/numerics/numerics_monitor.h"
#include "core/numerics/probe.h"
#include "core/numerics/watch_plan.h"
#include "core/pipeline/recorder_state.h"
#include "core/pipeline/run_events.h"
#include "core/weights/float8_notes.h"

namespace kinescope {

enum class Monitoring {
    on,        ///< as watch_level says
    every_op,  ///< Watch::ops all the time: for looking for a fault
    off,       ///< no statistics at all: for measuring what they cost
};

struct RecorderSetup {
    GuardMode guard = GuardMode::heal;
    Monitoring monitoring = Monitoring::on;
    Kernels kernels = Kernels::repeatable;
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;
    std::string device;
    std::map<std::string, std::string> libraries;
    std::filesystem::path numeric_log;
    std::filesystem::path numeric_csv;
    LogLengths kept_log = {};  ///< of the log that is gone on with
};

/// One run's numbers: the probe that modules report to, the log they end up in, and the guard's deeds. An attempt whose
/// numbers are not finite is run again with the offender raised, and what was raised stays raised.
class NumericsRecorder final : public Probe {
public:
    /// Throws Error(output_not_writable).
    NumericsRecorder(RecorderSetup setup, const EventSink& emit);

    void observe(const Observation& seen) override;
    Watch watch() const override { return watch_; }
    Rung rung(std::string_view component, std::string_view site) const override;
    RoundingListener* rounding_listener(std::string_view component, std::string_view site,
                                        const OpPrecision& op) override;
    bool wants_shadow(std::string_view component, std::string_view site) const override;
    void shadow(const Observation& seen, ShadowPart part) override;
    /// With the guard off nothing is judged; when it only observes, what it finds is written down and the run goes on.
    void transact(const std::function<void()>& work) override;

    NumericLog& log() { return log_; }
    /// Names the phase and, while denoising, the step and branch that come next.
    void enter(MonitorScope scope);
    /// Raises what an earlier run had to raise. Only while healing.
    void apply_learned(const std::vector<PrecisionOverride>& learned);
    /// Writes down what a detector saw, once for each site, and raises the op where it says so.
    void note(const std::vector<Finding>& findings);
    /// Writes down weights that float8 harms, once each (S10): those that stayed wider, and those that the file holds
    /// so.
    void note(const std::vector<Float8Note>& weights);
    void write_down(GuardActed record);
    /// A component that could not be healed on its device runs on the CPU from now on, beginning anew.
    void moved_to_cpu(const Error& error);

    /// Between two transactions.
    RecorderState snapshot();
    void restore(const RecorderState& state);

    /// What monitor and guard took since the last call.
    double take_watching_seconds() { return std::exchange(watching_seconds_, 0.0); }

    const PrecisionOverrides& overrides() const { return overrides_; }
    int guard_actions() const { return guard_actions_; }
    /// Overrides of earlier runs that were in place from the start.
    int known_overrides() const { return known_overrides_; }
    /// Something was healed in this run.
    bool has_healed() const { return has_healed_; }
    /// Something was found and not healed: evidence for the check of the frames.
    bool has_open_alarms() const { return has_open_alarms_; }
    /// See RunResult::warnings.
    const std::vector<GuardActed>& warnings() const { return warnings_; }

private:
    /// A part of an op that waits to be computed again.
    struct PendingShadow {
        NumericSample sample;
        ShadowPart part;
    };

    /// What the products of one op cost in this attempt.
    struct OpRounding final : RoundingListener {
        explicit OpRounding(NumericSample of) : sample(std::move(of)) {}
        void hear(const Tensor& row) override { rows.push_back(row); }
        NumericSample sample;
        std::vector<Tensor> rows;
    };

    void look(Watch watch);
    bool measures_rounding(std::string_view component) const;
    /// The ops whose rounding was measured in this attempt and costs too much, each once. Waits for the device.
    std::vector<Finding> collect_roundings();
    /// Raises these ops to float32 while healing. True: run it again.
    bool heal_roundings(const std::vector<Finding>& findings, double seconds);
    NumericSample sample_at(std::string_view component, std::string_view site) const;
    void begin_attempt(int attempt);
    std::vector<Finding> compute_shadows();
    /// Keeps the first warning of a detector at a site.
    void keep_warning(const GuardActed& record);
    /// Takes the samples since the last call to log and observer.
    Samples settle();
    /// True: run it again.
    bool judge(const Samples& samples, double seconds, std::vector<std::string>& tried);
    /// Not seen before, and somebody wants to know.
    bool is_news(const Finding& finding);
    /// Weights that were loaded in `dtype` for what float8 would make of them: nothing is lost, so no open alarm.
    void note_kept_wide(const std::vector<Finding>& findings, const std::string& dtype);
    void act(const GuardDecision& decision, const Samples& samples, std::vector<std::string>& tried);

    RecorderSetup setup_;
    const EventSink& emit_;
    NumericsMonitor monitor_;
    ShadowTurns shadow_turns_;
    std::set<std::string, std::less<>> components_;  ///< that were heard of in this run
    std::set<std::string, std::less<>> measured_;    ///< components that a transaction has finished with
    PrecisionOverrides overrides_;
    NumericLog log_;
    MonitorScope scope_;
    Watch watch_ = Watch::ops;
    Samples previous_;  ///< of the transaction before
    std::vector<PendingShadow> shadows_;
    std::deque<OpRounding> roundings_;  ///< ops keep pointers to them
    int transactions_ = 0;              ///< of this phase
    double watching_seconds_ = 0;
    Noted noted_;
    int guard_actions_ = 0;
    int known_overrides_ = 0;
    bool has_healed_ = false;
    bool has_open_alarms_ = false;
    std::vector<GuardActed> warnings_;
};

}  // namespace kinescope
