#include "core/jobs/queue/run_result_json.h"

#include "core/numerics/numerics_state.h"

namespace kinescope {

Json to_json(const RunResult& result) {
    NumericsState numerics;
    numerics.journal.warnings = result.warnings;
    return {{"status", to_string(result.status)},
            {"stopped_after_step", result.stopped_after_step},
            {"num_frames", result.num_frames},
            {"output_bytes", result.output_bytes},
            {"seconds", result.seconds},
            {"seconds_by_phase", result.seconds_by_phase},
            {"peak_memory_bytes", result.peak_memory_bytes},
            {"planned_memory_bytes", result.planned_memory_bytes},
            {"guard_actions", result.guard_actions},
            {"known_overrides", result.known_overrides},
            {"numerics", to_json(numerics)}};
}

namespace {

/// Reads any word that a newer version may have written for a finished video.
RunStatus status_from(const Json& word) {
    return run_status_from(word.get<std::string>()).value_or(RunStatus::completed);
}

}  // namespace

RunResult run_result_from(const Json& json) {
    return {.status = status_from(json.at("status")),
            .stopped_after_step = json.at("stopped_after_step"),
            .num_frames = json.at("num_frames"),
            .output_bytes = json.at("output_bytes"),
            .seconds = json.at("seconds"),
            .seconds_by_phase = json.at("seconds_by_phase"),
            .peak_memory_bytes = json.at("peak_memory_bytes"),
            .planned_memory_bytes = json.at("planned_memory_bytes"),
            .guard_actions = json.at("guard_actions"),
            .known_overrides = json.at("known_overrides"),
            .warnings = numerics_state_from(json.at("numerics")).journal.warnings};
}

}  // namespace kinescope
