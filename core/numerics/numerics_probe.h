#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/api/run_event.h"
#include "core/numerics/detectors.h"
#include "core/numerics/device_seconds.h"
#include "core/numerics/numerics_monitor.h"
#include "core/numerics/probe.h"
#include "core/numerics/watch_plan.h"

namespace kinescope {

enum class Monitoring {
    on,        ///< observes the sites that watch_level selects
    every_op,  ///< always observes with Watch::ops, to locate a fault
    off,       ///< gathers no statistics, to measure their cost
};

/// The rounding errors of one attempt.
struct RoundingReport {
    std::vector<Finding> findings = {};           ///< the ops that lose too much (S11), each once
    std::vector<RoundingMeasured> coarsest = {};  ///< of each component, the op that lost most
};

/// Receives the values of modules during a run. Gathers statistics and, in some steps, measures rounding and keeps
/// parts of ops to compute them a second time. Waits for the device only in collect, measure_rounding and
/// compute_shadows.
class NumericsProbe final : public SiteObserver {
public:
    /// With GuardMode::off, the probe only gathers statistics.
    NumericsProbe(Monitoring monitoring, GuardMode guard);

    void observe(const Observation& seen) override;
    Watch watch() const override { return watch_; }
    bool wants_statistics() const override { return monitoring_ != Monitoring::off; }
    RoundingListener* rounding_listener(std::string_view component, std::string_view site,
                                        const OpPrecision& op) override;
    bool wants_shadow(std::string_view component, std::string_view site) const override;
    void shadow(const Observation& seen, ShadowPart part) override;

    /// Sets the phase, step and branch of the next observations. Ignores attempt and non_finite of `scope`.
    void enter(MonitorScope scope);
    Phase phase() const { return scope_.phase; }
    int step() const { return scope_.step; }
    /// Starts an attempt. Drops the rounding errors and parts of ops that the previous attempt left.
    void begin_attempt(int attempt);
    void end_transaction();
    /// Drops the observations of an attempt that did not end, and the device memory that they occupy.
    void drop_attempt();

    /// Keeps the output of each following attempt of this transaction, at the site that `samples`, those of an earlier
    /// attempt, tell: the denoiser's output in the first evaluation of a step, before guidance, which multiplies
    /// rounding errors; in other phases the value that was observed last.
    void keep_output(const Samples& samples);
    /// Returns the output of the last attempt; undefined without one.
    Tensor take_output() { return std::exchange(output_, Tensor()); }
    /// Ends keep_output() and drops the output.
    void drop_output();

    /// The samples since the last call.
    Samples collect() {
        Samples samples = monitor_.collect();
        seconds_.settle();  // now the device has reached this moment
        return samples;
    }
    RoundingReport measure_rounding();
    /// Returns the ops of this attempt of which a part differs too much from its second computation (S7).
    std::vector<Finding> compute_shadows();

    /// Returns the seconds that the device spent on observing and on measuring rounding since the last call.
    double take_seconds() { return seconds_.take(); }

    /// Returns the index of the last block of each list of blocks, see ShadowTurns.
    const std::map<std::string, int, std::less<>>& last_blocks() const { return shadow_turns_.last_blocks(); }
    /// Returns the components that were observed so far.
    const std::set<std::string, std::less<>>& components() const { return components_; }
    /// Restores the state between two transactions, to continue a run of another process: what is observed and measured
    /// in each step depends on it.
    void restore(Phase phase, const std::map<std::string, int, std::less<>>& last_blocks,
                 const std::set<std::string, std::less<>>& components);

private:
    struct PendingShadow {
        NumericSample sample;
        ShadowPart part;
    };

    struct OutputSite {
        std::string component, site;
    };

    /// Rounding errors of one op in this attempt.
    struct OpRounding final : RoundingListener {
        OpRounding(NumericSample of, DeviceSeconds& total_seconds) : sample(std::move(of)), seconds(total_seconds) {}
        void on_rounding(const Tensor& row) override { rows.push_back(row); }
        void on_measured(DeviceMoment begin, DeviceMoment end) override {
            seconds.add(std::move(begin), std::move(end));
        }
        NumericSample sample;
        DeviceSeconds& seconds;
        std::vector<Tensor> rows;
    };

    bool makes_checks() const { return monitoring_ != Monitoring::off && guard_ != GuardMode::off; }
    /// Returns true if this attempt has kept a part of the op at a site.
    bool has_shadow(std::string_view component, std::string_view site) const;
    bool measures_rounding(std::string_view component) const;
    bool is_output(const Observation& seen) const;
    bool may_be_output(const NumericSample& sample) const;
    void look(Watch watch);
    NumericSample sample_at(std::string_view component, std::string_view site) const;

    Monitoring monitoring_;
    GuardMode guard_;
    NumericsMonitor monitor_;
    ShadowTurns shadow_turns_;
    std::set<std::string, std::less<>> components_;  ///< components observed so far in this run
    std::set<std::string, std::less<>> measured_;    ///< components that took part in a finished transaction
    MonitorScope scope_;
    Watch watch_ = Watch::ops;
    std::vector<PendingShadow> shadows_;
    std::optional<OutputSite> output_site_;  ///< set if outputs are kept
    Tensor output_;
    std::deque<OpRounding> roundings_;  ///< a deque, because ops hold pointers to its elements
    int transactions_ = 0;              ///< finished transactions of this phase
    DeviceSeconds seconds_;
};

}  // namespace kinescope
