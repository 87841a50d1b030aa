#pragma once

#include "core/api/run_event.h"

namespace kinescope {

/// From now on every line that is logged reaches `observer`, too, as a LogLine of no job (0). It must outlive that.
void log_to(RunObserver& observer);
/// Lines go to stderr alone again.
void log_to_nobody();

}  // namespace kinescope
