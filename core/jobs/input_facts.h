#pragma once

#include "core/api/video_request.h"
#include "core/media/clip_cursor.h"

namespace kinescope {

/// Sets values that follow from the request's videos and that are unset: the number of frames and the frame rate from
/// an input video, size and frame rate from a video to continue, and the number of frames of condition videos. Skips
/// files that `read` returns no frames for, because a resumed job may no longer need them. Throws Error(bad_request) if
/// a video has fewer frames than the request, and what `read` throws.
VideoRequest with_video_facts(VideoRequest request, const ModelCard& card, const ReadClip& read);

}  // namespace kinescope
