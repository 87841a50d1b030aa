#pragma once

#include <filesystem>

namespace kinescope {

/// "$XDG_CACHE_HOME/kinescope", or below ~/.cache: what can be made again.
std::filesystem::path user_cache_dir();

/// "$XDG_CONFIG_HOME/kinescope", or below ~/.config: what is the user's own.
std::filesystem::path user_config_dir();

/// "$XDG_STATE_HOME/kinescope", or below ~/.local/state: what should outlive the program but belongs to this computer.
std::filesystem::path user_state_dir();

}  // namespace kinescope
