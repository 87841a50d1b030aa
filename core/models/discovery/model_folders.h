#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/models/discovery/comfy_paths.h"

namespace kinescope {

/// A configured folder or list that is not searched.
struct UnusableFolder {
    std::filesystem::path path;
    std::string fault;  ///< "does not exist" or "cannot be read: ...", to end a sentence about the folder
    bool operator==(const UnusableFolder&) const = default;
};

/// The places on this computer where models and their components are searched for.
struct ModelFolders {
    std::vector<std::filesystem::path> folders;              ///< searched as a whole
    std::vector<KindFolder> kinds;                           ///< folders in ComfyUI's lists
    std::vector<std::filesystem::path> unusable_lists = {};  ///< lists of ComfyUI that read_comfy_paths() refuses
    std::vector<UnusableFolder> unusable = {};               ///< configured folders and lists
};

/// Returns the model folders on this computer: those in the environment variable KINESCOPE_MODELS (separated as in
/// PATH), then "model_folders" of settings.json in the configuration folder. An entry can also be a list of ComfyUI,
/// extra_model_paths.yaml; such a list is read, too, if it is in a folder of the list or beside its folder "models".
/// Throws Error(bad_config) for an invalid settings file.
ModelFolders configured_model_folders();

/// Returns true if the name of a file is that of a list of model folders: it ends in .yaml or .yml.
bool is_folder_list(const std::filesystem::path& file);

/// Returns the folders that may contain denoisers or whole models.
std::vector<std::filesystem::path> scanned_folders(const ModelFolders& folders);

/// The kinds of files that a request may name without their folder.
inline const std::string kLoraKind = "loras";
inline const std::string kUpscalerKind = "upscale_models";

/// Returns the file that a request names: for a name without a folder that does not exist here, the first file with
/// this name in the folders of a kind, i.e. in those of ComfyUI's lists, then in "<kind>" and "models/<kind>" of each
/// model folder. Otherwise `name` itself.
std::filesystem::path named_file(const std::filesystem::path& name, const std::string& kind);

}  // namespace kinescope
