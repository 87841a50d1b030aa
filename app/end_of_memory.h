#pragma once

namespace kinescope {

/// From now on, memory that runs out where nothing can catch it ends the program with a message and exit code 1, and
/// not with SIGABRT. Jobs stay on disk and can be resumed. Called first in every main function.
void explain_end_of_memory();

}  // namespace kinescope
