#include "core/base/user_dirs.h"

#include <cstdlib>

#include "core/api/engine.h"

namespace kinescope {

namespace {

std::filesystem::path base_dir(const char* variable, const char* below_home) {
    if (const char* dir = std::getenv(variable); dir != nullptr && *dir != 0) return dir;
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0)
        return std::filesystem::path(home) / below_home;
    return std::filesystem::temp_directory_path();
}

}  // namespace

std::filesystem::path user_cache_dir() {
    return base_dir("XDG_CACHE_HOME", ".cache") / "kinescope";
}

std::filesystem::path user_config_dir() {
    return base_dir("XDG_CONFIG_HOME", ".config") / "kinescope";
}

std::filesystem::path user_state_dir() {
    return base_dir("XDG_STATE_HOME", ".local/state") / "kinescope";
}

std::filesystem::path default_jobs_dir() {
    return user_state_dir() / "jobs";
}

}  // namespace kinescope
