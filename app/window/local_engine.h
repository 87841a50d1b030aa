#pragma once

#include <optional>

#include "ui/bridge/engine_bridge.h"

namespace kinescope {

/// Creates an engine in the window's process. Its log lines are also sent to the window. nullptr: this build of the
/// window has none, see KINESCOPE_ENGINE_IN_WINDOW.
ui::EngineFactory localEngine();

/// Call this first in main: see run_as_canary_child and run_as_reader_child.
std::optional<int> runAsChildOfEngine(int argc, const char* const* argv);

}  // namespace kinescope
