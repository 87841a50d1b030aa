#pragma once

#include <filesystem>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope {

/// Returns a preview that a run has saved in this folder, or an empty path if there is none. Other files in the folder
/// do not matter.
std::filesystem::path find_preview(const std::filesystem::path& folder);

/// A file that exists in the place of an output.
struct ExistingOutput {
    const char* field = "";  ///< of a request, see kOutputFiles
    std::filesystem::path file;
};

/// Returns what is in the place of the outputs of a request and must not be replaced, for runs elsewhere whose results
/// arrive here when they are complete. Folders that are empty do not matter. Returns nothing if the request allows its
/// outputs to be replaced.
std::vector<ExistingOutput> existing_outputs(const OutputRequest& output);

}  // namespace kinescope
