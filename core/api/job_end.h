#pragma once

#include "core/api/run_event.h"

namespace kinescope {

/// Writes the outcome of a run to its job. Events that are not the last one of a run change nothing.
void record_end(const RunEvent& end, Job& job);

}  // namespace kinescope
