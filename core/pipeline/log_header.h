#pragma once

#include "core/numerics/numeric_log.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// The files that hold the weights of a job's components, each once.
std::vector<std::filesystem::path> weight_files(const VideoJob& job);

/// What the numeric log's first record says of a job, as of now: the start, the switches, the model's files. Reads the
/// files' headers. Throws Error(file_not_found or file_unreadable).
NumericLogHeader log_header(const VideoJob& job);

}  // namespace kinescope
