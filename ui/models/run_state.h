#pragma once

#include <QString>

#include "ui/bridge/run_mailbox.h"

namespace kinescope::ui {

/// State of a run.
enum class RunState { idle, planning, loading, encoding, denoising, decoding, saving, paused, done, stopped, failed };

/// The value of the property `state`, which tests read: "denoising".
QString runStateName(RunState state);

/// True from the start until the run ends or pauses.
bool isRunning(RunState state);

RunState stateOf(Phase phase);

/// The state after an event. After the end of a run, only the start of a new one changes the state.
RunState nextState(RunState now, const WindowEvent& event);

}  // namespace kinescope::ui
