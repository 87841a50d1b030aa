#pragma once

#include "core/api/engine.h"

namespace kinescope {

/// Two numeric logs (.jsonl), or two videos or folders of PNG frames. Throws Error(bad_request) for one of each or for
/// different sizes, and what reading throws.
CompareReport compare_files(const std::filesystem::path& a, const std::filesystem::path& b,
                            const CompareTolerance& tolerance);

}  // namespace kinescope
