#pragma once

#include <string>

#include "core/api/frame.h"
#include "core/media/frame_sink.h"

namespace kinescope {

/// Formats a size for messages: "832 x 480 px".
std::string size_text(int width, int height);

/// Throws Error(bad_request) for a size of 0 or above 16384 px, or an fps above 240.
void check_options(const SinkOptions& options);

/// Throws Error(encode_failed) if the size of the frame differs from that of the sink.
void check_frame(const Frame& frame, int width, int height, int index);

/// Throws Error(encode_failed) for a video without frames.
void check_any_frames(int num_frames);

}  // namespace kinescope
