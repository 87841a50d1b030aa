#pragma once

#include "core/api/engine.h"

namespace kinescope {

/// Compares two numeric logs (.jsonl), or two videos or folders of PNG frames. Throws Error(bad_request) for different
/// kinds or sizes, and the errors of reading the files.
CompareReport compare_files(const std::filesystem::path& a, const std::filesystem::path& b,
                            const CompareTolerance& tolerance);

}  // namespace kinescope
