#pragma once

#include <filesystem>
#include <string>

#include "core/api/run_event.h"
#include "core/jobs/queue/saved_setup.h"

namespace kinescope {

/// The result of a complete part of a long video.
struct PartResult {
    RunResult run;
    // Of the part's video, see part_files.h.
    int video_frames = 0;
    std::string video_sha256 = {};
    SavedSetup setup = {};  ///< what made the part
};

/// Saves the result of a part in the folder of the part. Throws Error(output_not_writable, disk_full).
void write_part_result(const std::filesystem::path& folder, const PartResult& result);
/// Reads the saved result; paths stay empty. Throws Error(file_not_found, file_unreadable, bad_config).
PartResult read_part_result(const std::filesystem::path& folder);

}  // namespace kinescope
