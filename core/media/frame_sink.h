#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/api/frame.h"
#include "core/api/video_request.h"
#include "core/media/chapter.h"

namespace kinescope {

class SavedChunks;
class TrackInput;

/// Writes frames as they are decoded. The output has a temporary name beside the target until finish() returns.
/// Destroying an unfinished sink removes the output.
class FrameSink {
public:
    virtual ~FrameSink() = default;
    /// Writes the next frame. Throws Error(encode_failed, disk_full).
    virtual void write(const Frame& frame) = 0;
    /// Completes the file, syncs it to disk and renames it. Returns the final path. Throws Error(output_exists) if
    /// another file took the name in the meantime; the complete video is then kept under arguments()["kept"].
    virtual std::filesystem::path finish() = 0;
    /// Returns the path of the output before finish().
    virtual const std::filesystem::path& temporary() const = 0;
    /// Returns the number of frames that an interrupted run saved and that the output already contains.
    virtual int num_saved() const { return 0; }
};

struct SinkOptions {
    /// the extension selects the container; .png: one image; no extension: a folder of PNG frames
    OutputRequest output;
    int width = 0;   ///< px
    int height = 0;  ///< px
    int fps = 0;
    int fps_divisor = 1;                          ///< 1001 with fps 30000: 29.97 frames per second
    std::map<std::string, std::string> metadata;  ///< title, comment (the request as JSON), ...
    std::string mark = {};                        ///< part of temporary names, see temporary_name
    /// Sound and subtitles; GIF and pictures leave them out.
    std::vector<std::shared_ptr<TrackInput>> tracks = {};
    /// In ascending order; GIF and pictures leave them out.
    std::vector<Chapter> chapters = {};
    /// Finished parts of the video are saved here, and those of an interrupted run are used again. null: none are
    /// saved. Not for GIF and pictures.
    std::shared_ptr<SavedChunks> saved = {};
};

/// What an output is, by its name.
enum class OutputKind {
    video,
    gif,
    pictures  ///< a PNG file, or a folder of PNG frames
};

/// Throws Error(bad_request) for an unknown extension.
OutputKind output_kind(const std::filesystem::path& output);

/// Throws Error(bad_request) for an encoder or a quality of PNG files, which would have no effect.
void refuse_encoding_of_pictures(const OutputRequest& output);

/// Throws Error(bad_request) if the output is a single image, but the video has more frames.
void refuse_frames_in_picture(const std::filesystem::path& output, int num_frames);

/// Frames per second. GIF counts time in 1/100 s, and players slow down frames of 1/100 s.
inline constexpr int kFastestGif = 50;

/// Opens a sink and checks everything that can be checked before the run. Creates missing parent folders; an unfinished
/// sink removes them again. Width and height must be even if the encoder's pixel format requires it. Throws
/// Error(output_exists, output_not_writable, codec_missing), and Error(bad_request) for an unknown extension.
std::unique_ptr<FrameSink> open_frame_sink(const SinkOptions& options);

/// Returns the `comment` in a video, a GIF, a PNG or a folder of PNG frames, which is the request as JSON. Throws
/// Error(file_not_found, file_unreadable, no_settings).
std::string read_comment(const std::filesystem::path& video);

}  // namespace kinescope
