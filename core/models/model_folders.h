#pragma once

#include <filesystem>
#include <vector>

namespace kinescope {

/// Where models lie on this computer: the folders of the environment variable KINESCOPE_MODELS (separated as in PATH),
/// then "model_folders" of settings.json in the configuration folder. Those that are not there are left out.
/// Throws Error(bad_config) for a settings file that cannot be understood.
std::vector<std::filesystem::path> configured_model_folders();

/// $XDG_CONFIG_HOME/kinescope, else ~/.config/kinescope; on Windows %APPDATA%\kinescope. Empty: there is none.
std::filesystem::path configuration_folder();

}  // namespace kinescope
