#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/api/video_request.h"

namespace kinescope {

/// Returns the planned peak memory of a request, in bytes.
using PlannedPeak = std::function<std::int64_t(const VideoRequest&)>;

/// Sets the size, length and tiling that the request leaves unset, so that the video fits into `usable_bytes`. Tries in
/// this order: the model's defaults; tiled decoding; fewer frames, but at least half of them; the same with smaller
/// sizes; the smallest size with any length. Values that stay unset are the model's defaults. Returns nullopt if
/// nothing fits. Pure if `peak` is.
std::optional<VideoRequest> fit_video(const VideoRequest& request, const ModelCard& card, std::int64_t usable_bytes,
                                      const PlannedPeak& peak);

}  // namespace kinescope
