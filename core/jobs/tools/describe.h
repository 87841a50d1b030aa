#pragma once

#include "core/api/engine.h"
#include "core/weights/weight_check.h"

namespace kinescope {

/// Describes a folder or file from headers and small files only. Does not throw for unknown contents; the reasons then
/// list the contents that were found. `check` is called before each weight file is opened.
CheckpointDescription describe(const std::filesystem::path& path, const WeightCheck& check);

}  // namespace kinescope
