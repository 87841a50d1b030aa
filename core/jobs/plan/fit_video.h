#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/api/video_request.h"

namespace kinescope {

/// Returns the planned peak memory of a request, in bytes.
using PlannedPeak = std::function<std::int64_t(const VideoRequest&)>;

/// Sets the size, length and tiling that the request leaves unset, so that the video fits into `usable_bytes`. Tries in
/// this order: `largest`, which is the model's default size or follows from a picture, with the model's default length;
/// tiled decoding; fewer frames, but at least half of them; the same with smaller sizes of about the same aspect ratio;
/// the smallest size with any length. Values that stay unset are the model's defaults. Returns nullopt if nothing fits.
/// Pure if `peak` is.
std::optional<VideoRequest> fit_video(const VideoRequest& request, const ModelCard& card, Size largest,
                                      std::int64_t usable_bytes, const PlannedPeak& peak);

}  // namespace kinescope
