#pragma once

#include <functional>

#include "core/api/video_export.h"
#include "core/media/guarded_reader.h"

namespace kinescope {

/// Called with the finished and the total amount of work. Returns false to cancel the export.
using ExportStep = std::function<bool(std::int64_t done, std::int64_t total)>;

/// Exports a video, see VideoFiles::export_video. Throws Error(cancelled) if a step returns false.
ExportResult export_video(GuardedReader& reader, const ExportRequest& request, const ExportStep& step);

/// Estimates the size of an export, see VideoFiles::estimate_export.
ExportEstimate estimate_export(GuardedReader& reader, const ExportRequest& request);

}  // namespace kinescope
