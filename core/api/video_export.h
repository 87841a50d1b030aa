#pragma once

#include <cstdint>
#include <filesystem>

#include "core/api/video_request.h"

namespace kinescope {

/// A copy of a finished video, usually in another format. A file that keeps its extension, without codec, crf or
/// SettingsInFile::left_out, is copied byte by byte; everything else is decoded and encoded again.
struct ExportRequest {
    std::filesystem::path video;  ///< a video, a GIF, or a folder of PNG frames
    OutputRequest output;         ///< file, overwrite, codec, crf and settings; the other outputs must be empty
};

/// Identifies one call of VideoFiles::export_video.
using ExportId = std::int64_t;

/// Sent with job id 0, after every part of the video, on the thread that exports it.
struct ExportProgress {
    ExportId export_id = 0;
    std::int64_t done = 0;   ///< frames, or bytes of a file that is copied
    std::int64_t total = 0;  ///< as the file declares; 0: unknown
};

struct ExportResult {
    std::filesystem::path file;  ///< a file or a folder of PNG frames
    std::int64_t bytes = 0;
};

/// The expected size of an exported video.
struct ExportEstimate {
    std::int64_t bytes = 0;
    int num_frames = 0;  ///< of the whole video
    int num_tried = 0;   ///< frames that were encoded for the estimate; all of them: the size is exact
};

}  // namespace kinescope
