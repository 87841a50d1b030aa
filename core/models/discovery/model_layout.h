#pragma once

#include "core/models/discovery/model_files.h"
#include "core/weights/recognized_part.h"

namespace kinescope {

/// Reads a model from a single weight file, or from a folder without model_index.json. Throws Error(model_unknown)
/// whose message names the components found instead. `check`: see read_model_files().
ModelFiles read_layout(const std::filesystem::path& path, const std::vector<std::filesystem::path>& configured,
                       const WeightCheck& check);

/// Describes the component in `file` in the form that families expect. `at_hand` is the config.json next to the file,
/// or the config of the component that it replaces. It is null if there is none.
ComponentFiles component_from(const std::filesystem::path& file, const RecognizedPart& part, const Json& at_hand);

/// Returns the config.json next to a weight file, in diffusers' keys. Returns null if there is none or it belongs to
/// another component.
Json config_beside(const std::filesystem::path& file, const RecognizedPart& part);

}  // namespace kinescope
