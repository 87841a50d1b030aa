#pragma once

#include <filesystem>
#include <vector>

#include "core/api/model_card.h"

namespace kinescope {

/// Lists the built-in model and the models in the configured folders. Reads only headers. If a model cannot be used,
/// its model card has no family, and `recognized_by` contains the reason.
std::vector<ModelCard> list_models(const std::filesystem::path& resources_dir);

}  // namespace kinescope
