#pragma once

#include <memory>

#include "core/media/frame_sink.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Opens the file for a job's frames; null if the job writes no video. `last_step`: the last step of a run that decodes
/// early, for the file's metadata; 0: all steps run. Throws Error(output_exists) for files that the job does not own,
/// and what open_frame_sink throws.
std::unique_ptr<FrameSink> open_output(const VideoJob& job, int last_step);

}  // namespace kinescope
