#pragma once

#include "core/api/engine.h"

namespace kinescope {

/// Describes a folder or file from headers and small files only. Does not throw for unknown contents; the description's
/// reasons then list what was found.
CheckpointDescription describe(const std::filesystem::path& path);

}  // namespace kinescope
