#pragma once

#include <memory>

#include "core/media/frame_sink.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Where a job's frames go; null: nowhere. Refuses to write over files that the job does not own. Throws what
/// open_frame_sink throws.
std::unique_ptr<FrameSink> open_output(const VideoJob& job);

}  // namespace kinescope
