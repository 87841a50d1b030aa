#pragma once

#include "core/api/run_event.h"

namespace kinescope {

/// Also sends log lines to `observer`, as LogLine events with job id 0, until log_to_nobody().
void log_to(RunObserver& observer);
/// Logs to stderr only.
void log_to_nobody();

}  // namespace kinescope
