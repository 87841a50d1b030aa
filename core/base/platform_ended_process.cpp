#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "core/base/ended_process.h"

namespace kinescope {

std::int64_t this_process() {
    return ::getpid();
}

bool has_ended(std::int64_t process) {
    return ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

}  // namespace kinescope
