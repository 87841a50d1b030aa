#pragma once

namespace kinescope {

/// Makes an uncaught out-of-memory error end the program with a message and exit code 1 instead of SIGABRT. Jobs stay
/// on disk and can be resumed. Must be called first in main().
void explain_end_of_memory();

}  // namespace kinescope
