#pragma once

#include "core/numerics/numeric_log.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Returns the weight files of a job's components, without duplicates.
std::vector<std::filesystem::path> weight_files(const PreparedRun& job);

/// Returns the first record of a job's numeric log: start time, options, model files. Reads the headers of the
/// `weights`, see weight_files(). Throws Error(file_not_found or file_unreadable).
NumericLogHeader log_header(const PreparedRun& job, const std::vector<std::filesystem::path>& weights);

}  // namespace kinescope
