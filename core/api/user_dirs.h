#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace kinescope {

/// Kinescope's folders on this computer.
struct UserDirs {
    std::filesystem::path cache;   ///< can be recreated: timings, canary results
    std::filesystem::path config;  ///< written by the user: settings.json, presets
    std::filesystem::path data;    ///< downloaded models
    std::filesystem::path state;   ///< jobs; should survive a restart, but belongs to this computer
};

/// The inputs that determine the folders.
struct UserEnvironment {
    std::function<std::string(const char*)> variable;  ///< value of an environment variable; empty: not set
    std::filesystem::path home;                        ///< base of the default folders
};

/// Returns the folders according to the XDG base directory specification: "$XDG_CACHE_HOME/kinescope" or
/// "<home>/.cache/kinescope", and likewise XDG_CONFIG_HOME or .config, XDG_DATA_HOME or .local/share, XDG_STATE_HOME or
/// .local/state. Ignores relative paths in these variables, as the specification demands.
UserDirs resolve_user_dirs(const UserEnvironment& environment);

/// Returns the folders of the current user. The home folder is $HOME or, if it is not set, the one in the user
/// database. If it does not exist, a folder for this user in the temporary directory takes its place.
UserDirs user_dirs();

/// Returns the number of the current user, "1000".
std::string user_id();

/// Returns "<state>/jobs".
std::filesystem::path default_jobs_dir();

}  // namespace kinescope
