#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/api/frame.h"
#include "core/media/background.h"
#include "core/media/clip_traits.h"

namespace kinescope {

class VideoReader;

/// Reads the frames of a finished output in order.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    /// Returns the number of frames that the file declares. A damaged file may contain fewer.
    virtual int count() const = 0;
    /// Returns how that number is known.
    virtual FrameCount how_counted() const = 0;
    /// Returns the frame rate in frames per second, or 0 if it is unknown: the mean rate of unevenly spaced
    /// frames, and for pictures that of the video in their settings.
    virtual double fps() const = 0;
    /// Returns what the user should know of the file, as far as the frames that have been read tell.
    virtual std::vector<ClipTrait> traits() const = 0;
    /// The time at which the frame of the last next() is shown, in seconds after the start of the file. NaN if unknown.
    virtual double seconds() const = 0;
    /// Returns the next frame; nullopt after the last one. Throws Error(file_unreadable, image_unreadable).
    virtual std::optional<Frame> next() = 0;
    /// Skips one frame without converting it. Returns false if there are no more frames. Throws like next().
    virtual bool skip() = 0;
    /// Goes toward the frame with this number, if this is faster than skipping the frames before it. Returns the
    /// number of the next frame. That may be 0 again, if a file proves to have no usable key frames.
    virtual int approach(int index) = 0;
};

/// Opens a video, a GIF, a picture, or a folder of PNG frames sorted by name. Transparent parts show the background.
/// Throws Error(file_not_found,
/// file_unreadable).
std::unique_ptr<FrameSource> open_frame_source(const std::filesystem::path& path, const VideoLimits& limits = {},
                                               Background background = Background::white);

/// Returns the files that open_frame_source() reads: the PNG frames of a folder sorted by name, or the file itself.
/// Throws Error(file_unreadable) for a folder without frames.
std::vector<std::filesystem::path> frame_files(const std::filesystem::path& path);

/// Returns the frames of a video that is open and has not been read.
std::unique_ptr<FrameSource> frame_source_of(VideoReader reader);

/// Returns true for a folder and for files with the extension of a picture.
bool names_pictures(const std::filesystem::path& path);

/// Returns true for a folder and for files with the extension of a video or GIF, where a request accepts both images
/// and videos. Other files count as images.
bool names_video(const std::filesystem::path& path);

}  // namespace kinescope
