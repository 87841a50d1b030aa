#pragma once

#include <filesystem>
#include <vector>

#include "core/api/model_card.h"

namespace kinescope {

/// Lists the built-in model and those in the configured folders. Reads only headers. The card of a model that cannot be
/// used has no family, and the reason in `recognized_by`.
std::vector<ModelCard> list_models(const std::filesystem::path& resources_dir);

}  // namespace kinescope
