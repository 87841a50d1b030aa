#pragma once

#include <cstdint>
#include <filesystem>

#include "core/api/video_request.h"

namespace kinescope {

/// A request for a copy of a finished video, usually in another format. If the extension stays the same and neither
/// codec, crf nor SettingsInFile::left_out is set, the file is copied byte by byte; otherwise it is decoded and encoded
/// again.
struct ExportRequest {
    std::filesystem::path video;  ///< a video, a GIF, or a folder of PNG frames
    OutputRequest output;         ///< file, overwrite, codec, crf and settings; the other outputs must be empty
};

/// Identifies one call of VideoFiles::export_video.
using ExportId = std::int64_t;

/// The progress of an export, an event with job id 0. Sent after every part of the video on the thread that exports it.
struct ExportProgress {
    ExportId export_id = 0;
    std::int64_t done = 0;   ///< frames, or bytes if the file is copied
    std::int64_t total = 0;  ///< frames or bytes in all, as the file declares; 0: unknown
};

struct ExportResult {
    std::filesystem::path file;  ///< a file or a folder of PNG frames
    std::int64_t bytes = 0;
};

/// The expected size of an exported video.
struct ExportEstimate {
    std::int64_t bytes = 0;
    int num_frames = 0;  ///< of the whole video
    int num_tried = 0;   ///< frames that were encoded for the estimate; if these are all frames, the size is exact
};

}  // namespace kinescope
