#pragma once

#include "core/api/run_event.h"

namespace kinescope {

/// Sends log lines to stderr and, until log_to_nobody(), to `observer` as LogLine events with job id 0.
void log_to(RunObserver& observer);
/// Sends log lines only to stderr.
void log_to_nobody();

}  // namespace kinescope
