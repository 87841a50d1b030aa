#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/api/numeric_error.h"
#include "core/numerics/numerics_guard.h"
#include "core/numerics/numerics_journal.h"
#include "core/numerics/numerics_probe.h"
#include "core/numerics/probe.h"

namespace kinescope {

struct GuardSetup {
    GuardMode mode = GuardMode::heal;
    Kernels kernels = Kernels::repeatable;
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;
    std::string device = {};                            ///< for error messages
    std::map<std::string, std::string> libraries = {};  ///< for error messages
};

/// The state of a guard between two transactions.
struct GuardState {
    std::vector<PrecisionOverride> overrides = {};
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;
    Samples previous = {};               ///< samples with which the next step is compared
    std::set<std::string> trusted = {};  ///< components whose result was compared with float32 in this phase
};

/// Runs work as transactions. If the values of an attempt are not finite, raises the op that failed first and runs the
/// work again; raised ops stay raised. With GuardMode::off, it accepts every attempt. With GuardMode::observe, it only
/// reports its findings, and the run continues.
class StepGuard final : public Transaction, public PrecisionSource {
public:
    /// `probe` and `journal` must outlive the guard.
    StepGuard(GuardSetup setup, NumericsProbe& probe, NumericsJournal& journal);

    void transact(const std::function<void()>& work) override;
    PrecisionLevel level(std::string_view component, std::string_view site) const override;

    /// Raises the ops that an earlier run had to raise. Does nothing unless the mode is GuardMode::heal.
    void apply_learned(const std::vector<PrecisionOverride>& learned);
    /// Reports findings, once for each kind and site. Raises ops if a finding requires it.
    void note(const std::vector<Finding>& findings);
    /// Records that a component, which could not be healed on its device, runs again from its start on the CPU.
    void move_to_cpu(const NumericError& error);

    const PrecisionOverrides& overrides() const { return overrides_; }
    /// Returns the seconds spent on decisions since the last call, without those of the probe.
    double take_seconds() { return std::exchange(seconds_, 0.0); }

    /// Saves and restores the state. Call these functions only between two transactions.
    GuardState state() const;
    void restore(const GuardState& state);

private:
    enum class Verdict { accepted, run_again };

    /// The attempts of a transaction that were repeated.
    struct Repeated {
        std::vector<std::string> failures = {};  ///< whose values were not finite: what was done, in words
        int coarse = 0;                          ///< that lost too much to rounding
        double seconds = 0;                      ///< duration of the last attempt
    };

    /// Runs one attempt. If it throws, discards everything that it observed.
    void run(const std::function<void()>& work);
    Verdict judge(const Samples& samples, Repeated& repeated);
    void act(const GuardDecision& decision);
    /// Raises the ops of these findings to float32; after kMaxAttempts coarse attempts, their components. Only reports
    /// them unless the mode is GuardMode::heal.
    Verdict heal_rounding(const std::vector<Finding>& findings, const Repeated& repeated);
    Verdict heal_rounding(const Finding& finding, const Repeated& repeated);
    /// Runs the work with the doubtful components in float32 as a whole, to compare the healed attempt with it. If
    /// memory does not suffice, trusts these components. If the work has no output, raises them. `samples`: of the
    /// attempt with the doubtful ops.
    void compute_reference(const std::function<void()>& work, int attempt, const Samples& samples);
    void trust_without_reference();
    void raise_without_reference();
    /// Raises the doubtful components if the accepted attempt differs too much from the reference.
    Verdict judge_against_reference();
    bool raises(const Finding& finding) const;

    /// Components with ops that round so coarsely that this transaction raised them, or nearly so. What the ops before
    /// them compute in 16 bits may decide the result, which no measurement of single ops shows.
    struct Doubt {
        std::map<std::string, Finding> components;  ///< by name, with the finding about the first such op
        Tensor reference;  ///< output of the work with these components in float32; undefined until it is computed
    };

    /// Frees the tensors of a comparison, however the transaction ends.
    struct Comparison {
        StepGuard& guard;
        ~Comparison();
    };

    GuardSetup setup_;
    NumericsProbe& probe_;
    NumericsJournal& journal_;
    PrecisionOverrides overrides_;
    Doubt doubt_;
    std::set<std::string> trusted_;  ///< components whose result was compared with float32 in this phase
    Phase phase_ = Phase::denoise;
    Samples previous_;  ///< see comparable_with_next; none at the start of a phase
    double seconds_ = 0;
};

}  // namespace kinescope
