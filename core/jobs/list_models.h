#pragma once

#include <filesystem>
#include <vector>

#include "core/api/model_card.h"

namespace kinescope {

/// The built-in model, then what lies in the configured folders, by headers only. Of what looks like a model and cannot
/// be used, the card has no family and says why.
std::vector<ModelCard> list_models(const std::filesystem::path& resources_dir);

}  // namespace kinescope
