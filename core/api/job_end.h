#pragma once

#include <variant>

#include "core/api/run_event.h"

namespace kinescope {

/// Returns true for the last event of a run: finished, failed, cancelled or paused. `Event` is a variant of events.
template <class Event>
bool ends_run(const Event& event) {
    return std::holds_alternative<RunFinished>(event) || std::holds_alternative<RunFailed>(event) ||
           std::holds_alternative<RunCancelled>(event) || std::holds_alternative<RunPaused>(event);
}

/// Writes the outcome of a run to its job. Events that are not the last one of a run change nothing.
void record_end(const RunEvent& end, Job& job);

}  // namespace kinescope
