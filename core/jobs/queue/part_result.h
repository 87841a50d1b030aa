#pragma once

#include <filesystem>

#include "core/api/run_event.h"

namespace kinescope {

/// Saves the result of a part of a long video in the folder of the part. Throws Error(output_not_writable, disk_full).
void write_part_result(const std::filesystem::path& folder, const RunResult& result);
/// Reads the saved result; paths stay empty. Throws Error(file_not_found, file_unreadable, bad_config).
RunResult read_part_result(const std::filesystem::path& folder);

}  // namespace kinescope
