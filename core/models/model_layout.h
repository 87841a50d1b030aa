#pragma once

#include "core/models/model_files.h"
#include "core/weights/recognized_part.h"

namespace kinescope {

/// A model from one file of weights, or from a folder without model_index.json. Throws Error(model_unknown) that says
/// what was found instead.
ModelFiles read_layout(const std::filesystem::path& path, const std::vector<std::filesystem::path>& configured);

/// A part as the families see it. `at_hand`: a config.json beside it or that of what it replaces; null: none.
ComponentFiles component_from(const std::filesystem::path& file, const RecognizedPart& part, const Json& at_hand);

/// config.json beside a file of weights, in diffusers' keys; null: none.
Json config_beside(const std::filesystem::path& file, const RecognizedPart& part);

}  // namespace kinescope
