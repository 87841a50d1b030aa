#pragma once

#include <QString>

#include "ui/bridge/run_mailbox.h"

namespace kinescope::ui {

/// State of a run.
enum class RunState { idle, planning, loading, encoding, denoising, decoding, saving, paused, done, stopped, failed };

/// Returns the value of the property `state`, such as "denoising", which tests read.
QString runStateName(RunState state);

/// Returns true from the start of a run until it ends or pauses.
bool isRunning(RunState state);

RunState stateOf(Phase phase);

/// Returns the state after an event. After the end of a run, only the start of a new run changes the state.
RunState nextState(RunState now, const WindowEvent& event);

}  // namespace kinescope::ui
