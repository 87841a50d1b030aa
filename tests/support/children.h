#pragma once

#include <sys/types.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace kinescope::testing {

/// The newest process that this process has started; 0: none.
inline pid_t newest_child() {
    pid_t newest = 0;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child = 0; children >> child;) newest = std::max(newest, child);
    }
    return newest;
}

/// Returns false for a process that has ended, even if nobody has waited for it.
inline bool is_running(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    const std::string stat(std::istreambuf_iterator<char>(file), {});
    const std::size_t name_end = stat.rfind(')');
    return name_end != std::string::npos && stat.substr(name_end + 2, 1) != "Z";
}

}  // namespace kinescope::testing
