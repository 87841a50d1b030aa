#pragma once

#include <filesystem>

#include "core/api/error.h"
#include "core/media/clip_cursor.h"
#include "core/models/model_family.h"

namespace kinescope {

/// Returns the error of a video that has no frame that can be read. It proves damage, see damaged_file.h.
Error no_readable_frame(const std::filesystem::path& video);

/// The number of frames of a file with a single picture, which stands for a video of any length.
enum class SinglePicture { one_frame, repeated };

/// Returns the reader of a video's frames; empty for an empty path. Reads the first part at once, so that a missing or
/// damaged file is reported before any weights are loaded. `read` must outlive the result.
ReadFrames frames_of(const ReadClip& read, const std::filesystem::path& video, SinglePicture single);

/// Returns the reader of a control video that is made from the frames of a video, in the size of the result, so that
/// edges are as wide as its pixels and motion is as long.
ReadFrames as_control(ReadFrames frames, ControlSource source, Size size);

/// Returns the reader of a video that consists of one image.
ReadFrames one_frame(Tensor image);

/// Returns the reader of a video's last `count` frames; empty for an empty path. The first frame of a shorter video
/// repeats. Reads these frames at once, and all others before them if the number of frames is an estimate.
ReadFrames last_frames_of(const ReadClip& read, const std::filesystem::path& video, int count);

/// Returns an 8-bit frame as uint8 [H, W, 3], a copy, and back.
Tensor to_tensor(const Frame& frame);
Frame to_frame(const Tensor& picture);

}  // namespace kinescope
