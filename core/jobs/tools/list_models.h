#pragma once

#include <filesystem>
#include <vector>

#include "core/api/model_card.h"

namespace kinescope {

/// The built-in model and those in the configured folders, read from headers only. A model that cannot be used has no
/// family, and its card gives the reason.
std::vector<ModelCard> list_models(const std::filesystem::path& resources_dir);

}  // namespace kinescope
