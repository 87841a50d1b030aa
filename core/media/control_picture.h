#pragma once

#include "core/api/frame.h"
#include "core/api/video_request.h"

namespace kinescope {

/// Makes a frame of a control video from a frame of a video: its edges, white on black (Canny), or its gray tones.
/// Returns the frame itself for ControlSource::ready, and for ControlSource::flow, which needs two frames.
Frame control_picture(Frame frame, ControlSource source);

}  // namespace kinescope
