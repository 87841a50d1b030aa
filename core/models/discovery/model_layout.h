#pragma once

#include "core/models/discovery/model_files.h"
#include "core/weights/recognized_part.h"

namespace kinescope {

/// Reads a model from a single weight file, or from a folder without model_index.json. Throws Error(model_unknown)
/// whose message names the components found instead.
ModelFiles read_layout(const std::filesystem::path& path, const std::vector<std::filesystem::path>& configured);

/// Describes the component in `file` in the form that families expect. `at_hand`: the config.json beside the file, or
/// the config of the component that it replaces; null: none.
ComponentFiles component_from(const std::filesystem::path& file, const RecognizedPart& part, const Json& at_hand);

/// Returns the config.json beside a weight file, in diffusers' keys; null if there is none or it belongs to another
/// component.
Json config_beside(const std::filesystem::path& file, const RecognizedPart& part);

}  // namespace kinescope
