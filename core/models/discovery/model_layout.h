#pragma once

#include "core/models/discovery/model_files.h"
#include "core/weights/recognized_part.h"

namespace kinescope {

/// Reads a model from a single weight file, or from a folder without model_index.json. Throws Error(model_unknown) that
/// names what was found instead.
ModelFiles read_layout(const std::filesystem::path& path, const std::vector<std::filesystem::path>& configured);

/// A component in the form that families expect. `at_hand`: the config.json beside it or of the component it replaces;
/// null: none.
ComponentFiles component_from(const std::filesystem::path& file, const RecognizedPart& part, const Json& at_hand);

/// The config.json beside a weight file, in diffusers' keys; null: none.
Json config_beside(const std::filesystem::path& file, const RecognizedPart& part);

}  // namespace kinescope
