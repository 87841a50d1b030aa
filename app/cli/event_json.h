#pragma once

#include "app/cli/json_values.h"

namespace kinescope::cli {

/// One line of `generate --progress json`: {"event": "step", "job": 1, ...}. Of a preview, only the number of frames is
/// written.
Json event_document(JobId job, const RunEvent& event);

}  // namespace kinescope::cli
