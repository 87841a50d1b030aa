#pragma once

#include <filesystem>

#include "tests/fuzz/targets.h"

namespace kinescope::fuzz {

/// Returns a temporary folder of this process in memory, which is removed at exit.
const std::filesystem::path& scratch_folder();

/// Writes the bytes to a file in scratch_folder(), replacing its content.
std::filesystem::path write_scratch(const char* name, Bytes bytes);

}  // namespace kinescope::fuzz
