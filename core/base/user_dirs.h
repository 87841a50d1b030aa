#pragma once

#include <filesystem>

namespace kinescope {

/// "$XDG_CACHE_HOME/kinescope", or below ~/.cache: what can be made again.
std::filesystem::path user_cache_dir();

/// "$XDG_CONFIG_HOME/kinescope", or below ~/.config: what is the user's own.
std::filesystem::path user_config_dir();

}  // namespace kinescope
