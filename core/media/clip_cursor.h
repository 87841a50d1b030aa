#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/api/frame.h"
#include "core/base/file_stamp.h"
#include "core/media/clip_facts.h"

namespace kinescope {

/// Consecutive frames of a video, and facts about the whole video.
struct ClipPart {
    double fps = 0;                        ///< 0: unknown
    int num_total = 0;                     ///< of the whole video, as the file declares
    FrameCount count = FrameCount::exact;  ///< how num_total is known
    std::vector<FramePtr> frames;
    std::vector<double> seconds = {};  ///< of each frame, see FrameSource::seconds
    std::vector<ClipTrait> traits = {};
};

/// Returns the memory that reading a clip with frames of this size in parts takes: a part as a message, as frames, and
/// the frames of the part before.
std::int64_t reading_bytes(int width, int height, int num_frames);

/// Reads the part of a video that begins with frame `first`, see ClipCursor::read.
using ReadClip = std::function<ClipPart(const std::filesystem::path& video, int first)>;

/// Returns a reader that warns of each video with damaged frames when it reads the first of them.
ReadClip with_warnings(ReadClip read);

/// Reads a video in parts of limited size. Keeps the file open, so that reading the parts in order decodes each frame
/// once.
class ClipCursor {
public:
    explicit ClipCursor(const VideoLimits& limits = {}) : limits_(limits) {}

    /// Returns frames, starting with frame `first`; an empty part if there are no more. Throws the errors of
    /// open_frame_source and FrameSource::next.
    ClipPart read(const std::filesystem::path& video, int first, Background background = Background::white);
    /// Returns true if read() continues a video that is open.
    bool can_continue(const std::filesystem::path& video, int first, Background background) const;
    /// Describes a video. If the file does not change, the next read() of its first frame does not open it again.
    ClipFacts describe(const std::filesystem::path& video);

private:
    void go_to(const std::filesystem::path& video, int first, Background background);

    VideoLimits limits_;
    std::filesystem::path video_;
    Background background_ = Background::white;
    std::unique_ptr<FrameSource> source_;  ///< null: no file is open
    std::optional<FileStamp> described_;   ///< state of the file that describe() has opened; nullopt: read() has
    int next_ = 0;
};

/// Reads up to two videos in turns, or one video at two places.
class ClipCursors {
public:
    /// See ClipCursor::read().
    ClipPart read(const std::filesystem::path& video, int first, Background background = Background::white);
    /// See ClipCursor::describe().
    ClipFacts describe(const std::filesystem::path& video);

private:
    std::array<ClipCursor, 2> cursors_;
    std::size_t latest_ = 0;  ///< index of the cursor that was used last
};

}  // namespace kinescope
