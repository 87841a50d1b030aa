#pragma once

#include <cstddef>
#include <vector>

#include "core/api/run_event.h"

// Frames in messages, whose size is limited.
namespace kinescope::remote {

/// Throws Error(unsupported) for a frame that no message can hold.
void require_sendable(const std::vector<FramePtr>& frames);

/// Distributes frames over groups of about protocol::kFrameBytes, each with at least one frame.
std::vector<std::vector<FramePtr>> split_frames(const std::vector<FramePtr>& frames);

/// Scales a frame down to 1/`factor` of its width and height, at least 1 px, by the mean of `factor` x `factor` pixels.
FramePtr reduce(const Frame& frame, int factor);

/// Returns the events that are sent for an event. Decoded frames are appended to earlier ones, so they are distributed
/// over several events. Previews that exceed `most_bytes` in one message are scaled down.
std::vector<RunEvent> sendable_events(const RunEvent& event, std::size_t most_bytes);

/// The most bytes of frames in one message.
std::size_t most_frame_bytes();

}  // namespace kinescope::remote
