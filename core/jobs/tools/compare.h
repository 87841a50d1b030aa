#pragma once

#include "core/api/engine.h"
#include "core/media/guarded_reader.h"

namespace kinescope {

/// Compares two numeric logs (.jsonl), or two videos or folders of PNG frames, which `reader` reads. Throws
/// Error(bad_request) for different kinds or sizes, and the errors of reading the files.
CompareReport compare_files(GuardedReader& reader, const std::filesystem::path& a, const std::filesystem::path& b,
                            const CompareTolerance& tolerance);

}  // namespace kinescope
