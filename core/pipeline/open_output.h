#pragma once

#include <memory>

#include "core/media/frame_sink.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Where a job's frames go; null: nowhere. `last_step`: of a video that is decoded before its last step, for what the
/// file says of itself; 0: every step is made. Refuses to write over files that the job does not own. Throws what
/// open_frame_sink throws.
std::unique_ptr<FrameSink> open_output(const VideoJob& job, int last_step);

}  // namespace kinescope
