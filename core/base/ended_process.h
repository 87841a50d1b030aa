#pragma once

#include <cstdint>

namespace kinescope {

/// Returns the id of this process.
std::int64_t this_process();

/// Returns true if this computer has no process with this id. A container sees only its own processes.
bool has_ended(std::int64_t process);

}  // namespace kinescope
