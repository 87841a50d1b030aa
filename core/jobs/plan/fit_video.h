#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/api/video_request.h"

namespace kinescope {

/// The planned peak memory of a request, in bytes.
using PlannedPeak = std::function<std::int64_t(const VideoRequest&)>;

/// Fills the unset size, length and tiling of the request, so that the video fits into `usable_bytes`. Tries, in this
/// order, and keeps what the request sets: the model's defaults; tiled decoding; fewer frames, but at least half of
/// them; the same with smaller sizes; the smallest size with any length. What stays unset is the model's default.
/// Returns nullopt if nothing fits. Pure, if `peak` is.
std::optional<VideoRequest> fit_video(const VideoRequest& request, const ModelCard& card, std::int64_t usable_bytes,
                                      const PlannedPeak& peak);

}  // namespace kinescope
