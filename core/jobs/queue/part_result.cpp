#include "core/jobs/queue/part_result.h"

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/part_files.h"
#include "core/numerics/numerics_state.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

fs::path result_file(const fs::path& folder) {
    return folder / kPartResult;
}

Json json_of(const RunResult& result) {
    NumericsState numerics;
    numerics.journal.warnings = result.warnings;
    return {{"status", result.status},
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

RunResult result_from(const Json& json) {
    return {.status = json.at("status"),
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

Error damaged(const fs::path& file, const std::string& reason) {
    return {ErrorCode::bad_config,
            file.string() + " is not usable: " + reason,
            "The file is damaged or was edited by hand. Delete it.",
            {{"path", file.string()}}};
}

}  // namespace

void write_part_result(const fs::path& folder, const RunResult& result) {
    write_file_atomically(result_file(folder), json_of(result).dump(1, ' ', false, Json::error_handler_t::replace));
}

RunResult read_part_result(const fs::path& folder) {
    const fs::path file = result_file(folder);
    const Json json = read_json(file);
    try {
        return result_from(json);
    } catch (const JsonError& error) {
        throw damaged(file, error.what());
    } catch (const Json::exception& error) {
        throw damaged(file, error.what());
    }
}

}  // namespace kinescope
