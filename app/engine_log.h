#pragma once

#include "core/api/run_event.h"

namespace kinescope {

struct LoggingOptions;

/// Also sends log lines to `observer`, as LogLine events with job id 0, until log_to_nobody().
void log_to(RunObserver& observer);
/// The same with other options; the listener is replaced.
void log_to(RunObserver& observer, LoggingOptions options);
/// Logs to stderr only.
void log_to_nobody();

}  // namespace kinescope
