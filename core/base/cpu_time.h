#pragma once

#include <cstdint>
#include <optional>

namespace kinescope {

/// Returns the CPU time that all threads of a process have used, without that of its children. nullopt if the process
/// has ended or the system does not tell.
std::optional<double> cpu_seconds_of_process(std::int64_t process);

}  // namespace kinescope
