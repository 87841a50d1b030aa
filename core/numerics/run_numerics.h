#pragma once

#include <string>

#include "core/numerics/composed_probe.h"
#include "core/numerics/numerics_journal.h"
#include "core/numerics/numerics_probe.h"
#include "core/numerics/numerics_state.h"
#include "core/numerics/step_guard.h"

namespace kinescope {

/// Monitors and guards the values of one run.
class RunNumerics {
public:
    /// `emit` must outlive this object. Throws Error(output_not_writable).
    RunNumerics(GuardSetup setup, Monitoring monitoring, const JournalFiles& files, const EventSink& emit)
        : journal_(files, emit), probe_(monitoring, setup.mode), guard_(std::move(setup), probe_, journal_) {}

    NumericsJournal& journal() { return journal_; }
    NumericsProbe& probe() { return probe_; }
    StepGuard& guard() { return guard_; }
    /// Returns the context for the modules of a component; `component` may be empty.
    ForwardContext context(const CancellationToken& cancellation, std::string component = {}) {
        return {composed_, cancellation, std::move(component)};
    }
    /// Returns the seconds spent on observing and on the guard's decisions since the last call.
    double take_seconds() { return probe_.take_seconds() + guard_.take_seconds(); }

    /// Saves and restores the state. Call these functions only between two transactions.
    NumericsState snapshot();
    void restore(const NumericsState& state);

private:
    NumericsJournal journal_;
    NumericsProbe probe_;
    StepGuard guard_;
    ComposedProbe composed_{probe_, guard_, guard_};
};

}  // namespace kinescope
