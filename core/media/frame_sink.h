#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "core/api/frame.h"
#include "core/api/video_request.h"

namespace kinescope {

/// Takes frames as they are decoded. Writes to a temporary name beside the target; the final name appears only when
/// finish() returns. Destroying an unfinished sink removes what was written.
class FrameSink {
public:
    virtual ~FrameSink() = default;
    /// Throws Error(encode_failed, disk_full).
    virtual void write(const Frame& frame) = 0;
    /// Ends the file, syncs it to disk and renames it. Returns the final path. Throws Error; where the name was taken
    /// meanwhile, output_exists, and the whole video is kept under arguments()["kept"].
    virtual std::filesystem::path finish() = 0;
    /// Where the frames are until finish() returns.
    virtual const std::filesystem::path& temporary() const = 0;
};

struct SinkOptions {
    OutputRequest output;  ///< its ending chooses the container; .png: one picture; no ending: a folder of PNG frames
    int width = 0;         ///< px
    int height = 0;        ///< px
    int fps = 0;
    std::map<std::string, std::string> metadata;  ///< title, comment (the request as JSON) ...
    std::string mark = {};                        ///< of temporary names, see temporary_name
};

/// Checks everything that can be known before the run; creates missing parent folders (and takes them away again with
/// an unfinished sink). Widths and heights must be even where the encoder's pixel format asks for it. Throws
/// Error(output_exists, output_not_writable, codec_missing, bad_request for an ending that is not known).
std::unique_ptr<FrameSink> open_frame_sink(const SinkOptions& options);

/// The `comment` that a video, a GIF, a PNG or a folder of PNG frames carries: the request as JSON. Throws
/// Error(file_not_found, file_unreadable, no_settings).
std::string read_comment(const std::filesystem::path& video);

}  // namespace kinescope
