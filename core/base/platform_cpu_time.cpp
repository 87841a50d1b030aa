#include <ctime>

#include "core/base/cpu_time.h"

namespace kinescope {

#ifdef __linux__
std::optional<double> cpu_seconds_of_process(std::int64_t process) {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(static_cast<pid_t>(process), &clock) != 0) return std::nullopt;
    if (::clock_gettime(clock, &time) != 0) return std::nullopt;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}
#else
std::optional<double> cpu_seconds_of_process(std::int64_t /*process*/) {
    return std::nullopt;  // macOS has no clock of another process
}
#endif

}  // namespace kinescope
