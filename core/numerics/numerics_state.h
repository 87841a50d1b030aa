#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "core/base/json.h"
#include "core/numerics/numerics_journal.h"
#include "core/numerics/step_guard.h"

namespace kinescope {

/// The state of a run's numerics between two transactions: everything that determines how the rest of the run is
/// computed and observed.
struct NumericsState {
    Phase phase = Phase::denoise;
    std::map<std::string, int, std::less<>> last_block = {};  ///< see ShadowTurns
    std::set<std::string, std::less<>> components = {};       ///< observed so far
    GuardState guard = {};
    JournalState journal = {};
    LogLengths log = {};
};

Json to_json(const NumericsState& state);
/// Converts JSON back to the state. Throws JsonError for anything that to_json did not write.
NumericsState numerics_state_from(const Json& json);

}  // namespace kinescope
