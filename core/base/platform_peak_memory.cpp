#include "core/base/peak_memory.h"

#include <sys/resource.h>

#include <fstream>
#include <sstream>
#include <string>

namespace kinescope {

namespace {

/// Returns a value of /proc/self/status in bytes, or 0 if it does not exist.
std::int64_t status_bytes(const std::string& wanted) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        std::istringstream words(line);
        std::string key;
        std::int64_t kib = 0;
        if (words >> key >> kib && key == wanted) return kib * 1024;
    }
    return 0;
}

}  // namespace

PeakMemory::PeakMemory() {
    std::ofstream("/proc/self/clear_refs") << "5";  // resets only the high-water mark, see proc(5)
}

std::int64_t PeakMemory::bytes() const {
    if (const auto bytes = status_bytes("VmHWM:"); bytes > 0) return bytes;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

std::int64_t resident_memory_bytes() {
    return status_bytes("VmRSS:");
}

}  // namespace kinescope
