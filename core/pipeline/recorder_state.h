#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/api/video_request.h"
#include "core/base/json.h"
#include "core/numerics/numeric_log.h"
#include "core/numerics/precision_overrides.h"

namespace kinescope {

/// Detector, component and site of what was written down once already.
using Noted = std::set<std::tuple<std::string, std::string, std::string>>;

/// What NumericsRecorder knows between two transactions: all that decides how the rest of the run computes and is
/// watched.
struct RecorderState {
    Phase phase = Phase::denoise;
    std::vector<PrecisionOverride> overrides;
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;
    std::vector<NumericSample> previous;                 ///< of the transaction before
    std::map<std::string, int, std::less<>> last_block;  ///< see ShadowTurns
    Noted noted;
    int guard_actions = 0;
    int known_overrides = 0;
    bool has_healed = false;
    bool has_open_alarms = false;
    std::vector<GuardActed> warnings;  ///< see RunResult
    LogLengths log;
};

Json to_json(const RecorderState& state);
/// Throws JsonError for what to_json did not write.
RecorderState recorder_state_from(const Json& json);

}  // namespace kinescope
