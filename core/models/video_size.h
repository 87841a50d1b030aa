#pragma once

#include <cstdint>

#include "core/api/resolved_request.h"

namespace kinescope {

/// Throws Error(bad_request) for a video whose width or height is not a multiple of `multiple`, or without frames. The
/// message names what is wrong.
void check_video_size(const ResolvedContent& content, std::int64_t multiple);

}  // namespace kinescope
