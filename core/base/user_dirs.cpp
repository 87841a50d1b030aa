#include "core/base/user_dirs.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "core/api/engine.h"

namespace kinescope {

namespace {

/// As the environment says, else the user database; empty: neither knows one.
std::filesystem::path home_dir() {
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) return home;
    const passwd* user = ::getpwuid(::geteuid());
    return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "";
}

/// Anybody may create names in the temporary directory, so this one tells users apart. Who reads jobs there checks the
/// owner.
std::filesystem::path temporary_home() {
    return std::filesystem::temp_directory_path() / ("kinescope-" + std::to_string(::geteuid()));
}

std::filesystem::path base_dir(const char* variable, const char* below_home) {
    if (const char* dir = std::getenv(variable); dir != nullptr && *dir != 0) return dir;
    const std::filesystem::path home = home_dir();
    std::error_code ignored;
    return (std::filesystem::is_directory(home, ignored) ? home : temporary_home()) / below_home;
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
