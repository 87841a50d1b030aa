#pragma once

#include <filesystem>
#include <vector>

namespace kinescope {

/// Returns the model folders on this computer: those in the environment variable KINESCOPE_MODELS (separated as in
/// PATH), then "model_folders" of settings.json in the configuration folder. Skips missing folders. Throws
/// Error(bad_config) for an invalid settings file.
std::vector<std::filesystem::path> configured_model_folders();

}  // namespace kinescope
