#pragma once

#include "core/api/engine.h"

namespace kinescope {

/// Two numeric logs (.jsonl), or two videos. Throws Error(bad_request) for one of each, and what reading throws.
CompareReport compare_files(const std::filesystem::path& a, const std::filesystem::path& b,
                            const CompareTolerance& tolerance);

}  // namespace kinescope
