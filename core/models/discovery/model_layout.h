#pragma once

#include "core/models/discovery/model_files.h"
#include "core/models/discovery/model_folders.h"
#include "core/weights/recognized_part.h"

namespace kinescope {

/// Reads a model from a single weight file, or from a folder without model_index.json. Throws Error(model_unknown)
/// whose message names the components found instead. `check`: see read_model_files().
ModelFiles read_layout(const std::filesystem::path& path, const ModelFolders& configured, const WeightCheck& check);

/// Describes the component in `file` in the form that families expect. `at_hand` is the config.json next to the file,
/// or the config of the component that it replaces. It is null if there is none.
ComponentFiles component_from(const std::filesystem::path& file, const RecognizedPart& part, const Json& at_hand);

/// Describes a module that is put over a denoiser.
ComponentFiles module_from(const std::filesystem::path& file, const RecognizedPart& part);

/// Returns the name of the component with the module that is put over a denoiser: "module" or "module_2". Returns an
/// empty string for other components.
std::string module_of(const std::string& component);

/// Returns true for a model from a layout, whose scheduler has the published settings instead of a file.
bool has_published_scheduler(const ModelFiles& files);

/// Adapts the index and the published settings of the scheduler to the model's VAE, which may be in a file of its own.
/// Changes nothing if the scheduler has a file.
void follow_vae(ModelFiles& files);

/// Returns the config.json next to a weight file, in diffusers' keys. Returns null if there is none or it belongs to
/// another component.
Json config_beside(const std::filesystem::path& file, const RecognizedPart& part);

}  // namespace kinescope
