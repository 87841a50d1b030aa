#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/api/resolved_request.h"
#include "core/api/video_request.h"
#include "core/media/clip_cursor.h"

namespace kinescope {

/// Sets values that follow from the request's videos and pictures and that are unset: the number of frames, the frame
/// rate and the orientation of the default size from an input video, size and frame rate from a video to continue, the
/// number of frames of condition videos, and the size of the model that fits the start, last or first condition image.
/// Skips files that `read` returns no frames for, because a resumed job may no longer need them. Throws
/// Error(bad_request) if a video has fewer frames than the request or the video to continue another frame rate, and
/// what `read` throws.
VideoRequest with_video_facts(VideoRequest request, const ModelCard& card, const ReadClip& read);

/// Returns the size that with_video_facts() gives a request without a size, or the card's default size if no video or
/// picture changes it. Throws what `read` throws.
Size input_size(VideoRequest request, const ModelCard& card, const ReadClip& read);

/// A reader that passes everything on to another one and remembers the notes for the user about the files.
class NotingReader {
public:
    explicit NotingReader(ReadClip read) : read_(std::move(read)) {}

    ClipPart operator()(const std::filesystem::path& video, int first);
    /// One sentence for each trait of a file, and for each way in which the result differs from what the user of the
    /// file may expect: stretched frames, frames that are left out, another frame rate. `asked`: the request before
    /// defaults were filled in. `use`: of VideoRequest::video by the model.
    std::vector<std::string> notes(const VideoRequest& asked, const ResolvedContent& result,
                                   VideoUse use = VideoUse::start) const;
    /// The number of frames of a file that was read, as it declares; 0 for others.
    int num_frames(const std::filesystem::path& video) const;
    /// How this number is known.
    FrameCount how_counted(const std::filesystem::path& video) const;
    /// The memory that reading the largest of the files takes, see reading_bytes.
    std::int64_t most_reading_bytes() const;

private:
    struct Noted {
        std::vector<ClipTrait> traits;
        Size size;
        int num_frames = 0;
        FrameCount count = FrameCount::exact;
        double fps = 0;
    };

    ReadClip read_;
    std::map<std::filesystem::path, Noted> noted_;
};

}  // namespace kinescope
