#pragma once

#include <filesystem>

#include "tests/fuzz/targets.h"

namespace kinescope::fuzz {

/// A folder of this process in memory, removed at its end.
const std::filesystem::path& scratch_folder();

/// Puts the bytes into a file of that folder, in place of what it held.
std::filesystem::path write_scratch(const char* name, Bytes bytes);

}  // namespace kinescope::fuzz
