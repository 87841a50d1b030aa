#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kinescope {

/// A folder with files of one kind.
struct KindFolder {
    std::string kind;  ///< name of ComfyUI's folder for such files: "checkpoints", "diffusion_models", "vae"
    std::filesystem::path folder;
    bool operator==(const KindFolder&) const = default;
};

/// Reads a list of model folders in ComfyUI's format, extra_model_paths.yaml: sections with an optional `base_path` and
/// the folders of each kind, one per line. Returns the folders of the kinds that Kinescope uses, those of sections with
/// `is_default` first; they need not exist. The former names "unet" and "clip" become "diffusion_models" and
/// "text_encoders". As in ComfyUI, a `base_path` may contain ~ and $VARIABLES, and relative paths start at the base
/// path or, without one, at the file's folder.
///
/// The file is untrusted: its size, nesting and number of folders are limited, and it must be UTF-8. Throws
/// Error(file_not_found or file_unreadable), or Error(bad_config), whose message names the file and the line.
std::vector<KindFolder> read_comfy_paths(const std::filesystem::path& file);

}  // namespace kinescope
