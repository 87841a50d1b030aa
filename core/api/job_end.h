#pragma once

#include "core/api/run_event.h"

namespace kinescope {

/// Returns true for the last event of a run: finished, failed, cancelled or paused.
bool ends_run(const RunEvent& event);

/// Writes the outcome of a run to its job. Events that are not the last one of a run change nothing.
void record_end(const RunEvent& end, Job& job);

}  // namespace kinescope
