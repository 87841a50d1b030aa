#pragma once

#include <filesystem>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope {

/// Returns a preview that a run has saved in this folder, or an empty path if there is none. Ignores other files.
std::filesystem::path find_preview(const std::filesystem::path& folder);

/// A file that exists in the place of an output.
struct ExistingOutput {
    const char* field = "";  ///< of a request, see kOutputFiles
    std::filesystem::path file;
};

/// Returns the existing files and folders that the outputs of a request would replace. Checks runs on other computers
/// and clusters, whose results arrive here when they are complete. Ignores empty folders. Returns nothing if the
/// request allows replacing.
std::vector<ExistingOutput> existing_outputs(const OutputRequest& output);

}  // namespace kinescope
