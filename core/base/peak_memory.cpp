#include "core/base/peak_memory.h"

#include <sys/resource.h>

#include <fstream>
#include <sstream>
#include <string>

namespace kinescope {

PeakMemory::PeakMemory() {
    std::ofstream("/proc/self/clear_refs") << "5";  // the high-water mark alone; see proc(5)
}

std::int64_t PeakMemory::bytes() const {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        std::istringstream words(line);
        std::string key;
        std::int64_t kib = 0;
        if (words >> key >> kib && key == "VmHWM:") return kib * 1024;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace kinescope
