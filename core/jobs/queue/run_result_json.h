#pragma once

#include "core/api/run_event.h"
#include "core/base/json.h"

namespace kinescope {

/// Converts a result for the files of a job. Leaves out its paths.
Json to_json(const RunResult& result);
/// Throws JsonError or Json::exception.
RunResult run_result_from(const Json& json);

}  // namespace kinescope
