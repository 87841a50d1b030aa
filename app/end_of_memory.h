#pragma once

namespace kinescope {

/// Installs a handler so that an uncaught out-of-memory error ends the program with a message and exit code 1 instead
/// of SIGABRT. Jobs stay on disk and can be resumed. Call it first in main().
void explain_end_of_memory();

}  // namespace kinescope
