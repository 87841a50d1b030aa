#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "core/api/missing_home.h"
#include "core/api/user_dirs.h"

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

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

/// Creates a folder that only this user can read and write. Returns false if this is not possible, for example because
/// it exists and others could have written to it.
bool make_private(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return false;
    struct stat found {};
    if (::lstat(folder.c_str(), &found) != 0) return false;
    if (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & 022) != 0) return false;
    return (found.st_mode & 077) == 0 || ::chmod(folder.c_str(), 0700) == 0;
}

/// Returns a home folder in the temporary directory, where every user can create files: libraries and commands are read
/// from there, so a folder that another user has prepared is passed over. All processes of a user find the same folder.
/// Returns an empty path if there is no such folder.
fs::path temporary_home() {
    constexpr int kMostNames = 100;
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    const std::string name = "kinescope-" + user_id();
    for (int n = 1; !error && n <= kMostNames; ++n) {
        fs::path folder = parent / (n == 1 ? name : name + "-" + std::to_string(n));
        if (make_private(folder)) return folder;
    }
    return {};
}

/// Returns the home folder or its replacement. If there is neither, returns a path that does not exist.
fs::path usable_home() {
    fs::path home = configured_home();
    if (is_folder(home)) return home;
    fs::path temporary = temporary_home();
    if (!temporary.empty()) return temporary;
    return home.empty() ? fs::path("/nonexistent") : home;
}

constexpr std::array<const char*, 4> kVariables = {"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                                                   "XDG_STATE_HOME"};

/// Returns whether a folder is below the home folder.
bool needs_home() {
    return std::ranges::any_of(kVariables,
                               [](const char* name) { return !fs::path(environment_variable(name)).is_absolute(); });
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
    return resolve_user_dirs({.variable = environment_variable, .home = needs_home() ? usable_home() : fs::path()});
}

std::string missing_home_warning() {
    const fs::path home = configured_home();
    if (!needs_home() || is_folder(home)) return {};
    const std::string missing =
        home.empty() ? "this user has no home folder" : "the home folder '" + home.string() + "' does not exist";
    const fs::path temporary = temporary_home();
    if (temporary.empty()) return missing + ", and no folder can be created for temporary files: nothing is saved";
    return missing + ": settings and jobs are in '" + temporary.string() +
           "', which the system may delete, for example when it restarts";
}

std::string user_id() {
    return std::to_string(::geteuid());
}

fs::path default_jobs_dir() {
    return user_dirs().state / "jobs";
}

}  // namespace kinescope
