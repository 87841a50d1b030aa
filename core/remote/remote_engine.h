#pragma once

#include <memory>

#include "core/api/engine.h"
#include "core/remote/engine_connection.h"

namespace kinescope::remote {

/// Starts an engine in a process of its own, and returns once it runs. If the process ends unexpectedly, the observer
/// receives EngineEnded, a new process takes over the queue, and the job that ran goes on after its last saved step; a
/// job that has ended two processes is set aside. Questions that were not answered are asked again; other calls throw
/// Error(engine_lost). Events arrive on a thread of their own, those that an engine sends during a call before the call
/// returns.
///
/// Throws Error(engine_lost) if the process cannot be started, Error(unsupported) for another version. `observer` must
/// outlive the engine.
std::unique_ptr<Engine> make_remote_engine(EngineProgram program, RunObserver& observer);

}  // namespace kinescope::remote
