#pragma once

#include <filesystem>
#include <vector>

#include "core/api/model_card.h"
#include "core/weights/weight_check.h"

namespace kinescope {

/// Lists the built-in model and those in the configured folders. Reads only headers. The card of a model that cannot be
/// used has no family, and the reason in `recognized_by`. `check` is called before each weight file is opened.
std::vector<ModelCard> list_models(const std::filesystem::path& resources_dir, const WeightCheck& check);

}  // namespace kinescope
