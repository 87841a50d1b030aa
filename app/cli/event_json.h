#pragma once

#include "app/cli/json_values.h"

namespace kinescope::cli {

/// Returns one line of `generate --progress json`: {"event": "step", "job": 1, ...}. For a preview, the line contains
/// only the number of frames.
Json event_document(JobId job, const RunEvent& event);

}  // namespace kinescope::cli
