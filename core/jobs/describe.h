#pragma once

#include "core/api/engine.h"

namespace kinescope {

/// What a folder or file is, from headers and small files only. Never throws for something that is merely not known:
/// the reasons say what was seen.
CheckpointDescription describe(const std::filesystem::path& path);

}  // namespace kinescope
