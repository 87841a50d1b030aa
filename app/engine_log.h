#pragma once

#include "core/api/run_event.h"

namespace kinescope {

struct LoggingOptions;

/// Starts logging with these options and also sends log lines to `observer`, as LogLine events with job id 0, until
/// start_logging() is called again. The listener of the options is replaced.
void log_to(RunObserver& observer, LoggingOptions options);

}  // namespace kinescope
