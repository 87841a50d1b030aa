#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/api/run_event.h"
#include "core/numerics/detectors.h"
#include "core/numerics/numeric_log.h"

namespace kinescope {

/// Detector, component, site and code of the findings that were already reported.
using Noted = std::set<std::tuple<Detector, std::string, std::string, std::string>>;

/// Totals of the records that a journal reported.
struct JournalState {
    Noted noted = {};
    int guard_actions = 0;                  ///< see RunResult
    int known_overrides = 0;                ///< see RunResult
    bool has_healed = false;                ///< whether the guard changed or repeated something
    bool has_open_alarms = false;           ///< whether damage was reported that the guard did not heal
    std::vector<GuardActed> warnings = {};  ///< see RunResult
};

/// The files of a run's numeric log.
struct JournalFiles {
    std::filesystem::path numeric_log = {};  ///< empty: not written
    std::filesystem::path numeric_csv = {};  ///< empty: not written
    LogLengths kept = {};                    ///< lengths to keep if an interrupted run continues
    OverwriteMode overwrite = OverwriteMode::refuse;
};

/// Reports a run's statistics and guard records to the numeric log and to the observer, and counts them for the result.
class NumericsJournal {
public:
    /// `emit` must outlive the journal. Throws the errors of NumericLog.
    NumericsJournal(const JournalFiles& files, const EventSink& emit);

    NumericLog& log() { return log_; }
    /// Reports the samples of one attempt.
    void publish(const Samples& samples);
    void publish(const RoundingMeasured& rounding);
    /// Reports and counts a finding or an action of the guard.
    void write_down(const GuardActed& record);
    /// Returns true if no such finding at this site was reported before.
    bool is_new(const Finding& finding);

    const JournalState& state() const { return state_; }
    void restore(JournalState state) { state_ = std::move(state); }

private:
    void keep_warning(const GuardActed& record);

    const EventSink& emit_;
    NumericLog log_;
    JournalState state_;
};

}  // namespace kinescope
