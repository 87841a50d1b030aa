#pragma once

#include <QString>

#include "ui/bridge/run_mailbox.h"

namespace kinescope::ui {

/// Where a run is, as the run island says it.
enum class RunState { idle, planning, loading, encoding, denoising, decoding, saving, paused, done, stopped, failed };

/// The name that tests read from the property `state`, e.g. "denoising".
QString runStateName(RunState state);

/// True from Generate until the run has ended or paused: while something works.
bool isRunning(RunState state);

RunState stateOf(Phase phase);

/// The state after an event. Events of a run that has already ended change nothing, except that a new run may start.
RunState nextState(RunState now, const WindowEvent& event);

}  // namespace kinescope::ui
