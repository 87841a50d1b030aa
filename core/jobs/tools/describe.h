#pragma once

#include "core/api/engine.h"

namespace kinescope {

/// Describes a folder or file from headers and small files only. For unknown contents it does not throw; the reasons
/// tell what was found.
CheckpointDescription describe(const std::filesystem::path& path);

}  // namespace kinescope
