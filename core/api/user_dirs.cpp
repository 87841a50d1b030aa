#include "core/api/user_dirs.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace kinescope {

namespace {

namespace fs = std::filesystem;

std::string environment_variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

/// Returns the home folder from $HOME or the user database; empty if neither contains one.
fs::path configured_home() {
    if (std::string home = environment_variable("HOME"); !home.empty()) return home;
    const passwd* user = ::getpwuid(::geteuid());
    return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "";
}

/// Returns a home folder in the temporary directory. Every user can create files there, so the name contains the user
/// id, and the owner of job files is checked when they are read.
fs::path temporary_home() {
    return fs::temp_directory_path() / ("kinescope-" + user_id());
}

fs::path existing_home() {
    fs::path home = configured_home();
    std::error_code ignored;
    return fs::is_directory(home, ignored) ? home : temporary_home();
}

fs::path kinescope_dir(const UserEnvironment& environment, const char* variable, const char* below_home) {
    const fs::path base = environment.variable(variable);
    return (base.is_absolute() ? base : environment.home / below_home) / "kinescope";
}

}  // namespace

UserDirs resolve_user_dirs(const UserEnvironment& environment) {
    return {.cache = kinescope_dir(environment, "XDG_CACHE_HOME", ".cache"),
            .config = kinescope_dir(environment, "XDG_CONFIG_HOME", ".config"),
            .data = kinescope_dir(environment, "XDG_DATA_HOME", ".local/share"),
            .state = kinescope_dir(environment, "XDG_STATE_HOME", ".local/state")};
}

UserDirs user_dirs() {
    return resolve_user_dirs({.variable = environment_variable, .home = existing_home()});
}

std::string user_id() {
    return std::to_string(::geteuid());
}

fs::path default_jobs_dir() {
    return user_dirs().state / "jobs";
}

}  // namespace kinescope
