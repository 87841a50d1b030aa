#pragma once

#include <functional>

#include "core/api/engine.h"
#include "core/media/guarded_reader.h"

namespace kinescope {

/// Compares two numeric logs (.jsonl), or two videos or folders of PNG frames, which `reader` reads. Throws
/// Error(bad_request) for different kinds or sizes, Error(cancelled) if `is_cancelled`, which is called before each
/// frame and each log, returns true or if `reader` is cancelled, and the errors of reading the files.
CompareReport compare_files(
    GuardedReader& reader, const std::filesystem::path& a, const std::filesystem::path& b,
    const CompareTolerance& tolerance, const std::function<bool()>& is_cancelled = [] { return false; });

}  // namespace kinescope
