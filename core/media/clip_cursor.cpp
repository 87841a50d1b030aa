#include "core/media/clip_cursor.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kinescope {
namespace {

/// Maximum size of a part. A single larger frame is a part by itself.
constexpr std::size_t kPartBytes = std::size_t{32} << 20;

}  // namespace

std::int64_t reading_bytes(int width, int height, int num_frames) {
    constexpr std::int64_t kPartsHeld = 3;
    const std::int64_t frame = std::int64_t{3} * width * height;
    const auto part = std::max(frame, static_cast<std::int64_t>(kPartBytes));
    return kPartsHeld * std::min(part, frame * std::max(1, num_frames));
}

ReadClip with_warnings(ReadClip read) {
    const auto warned = std::make_shared<std::set<std::filesystem::path>>();
    return [read = std::move(read), warned](const std::filesystem::path& video, int first) {
        ClipPart part = read(video, first);
        if (has_trait(part.traits, ClipTrait::damaged) && warned->insert(video).second)
            warn_about({ClipTrait::damaged}, video);
        return part;
    };
}

/// The first frame is always read from the file as it is now.
bool ClipCursor::can_continue(const std::filesystem::path& video, int first, Background background) const {
    if (source_ == nullptr || video != video_ || background != background_ || first < next_) return false;
    return first > 0 || (described_ && described_ == file_stamp(video));
}

ClipFacts ClipCursor::describe(const std::filesystem::path& video) {
    source_.reset();
    const auto stamp = file_stamp(video);
    OpenClip clip = open_clip(video);
    source_ = std::move(clip.frames);
    video_ = video;
    background_ = Background::white;
    described_ = stamp;
    next_ = 0;
    return std::move(clip.facts);
}

void ClipCursor::go_to(const std::filesystem::path& video, int first, Background background) {
    if (!can_continue(video, first, background)) {
        source_.reset();
        source_ = open_frame_source(video, limits_, background);
        video_ = video;
        background_ = background;
        next_ = 0;
    }
    described_.reset();
    while (next_ < first && source_->skip()) ++next_;
}

ClipPart ClipCursor::read(const std::filesystem::path& video, int first, Background background) {
    go_to(video, first, background);
    ClipPart part{.fps = source_->fps(),
                  .num_total = source_->count(),
                  .count = source_->how_counted(),
                  .frames = {},
                  .seconds = {}};
    for (std::size_t bytes = 0; bytes < kPartBytes;) {
        std::optional<Frame> frame = source_->next();
        if (!frame) break;
        bytes += frame->pixels.size();
        part.frames.push_back(std::make_shared<const Frame>(std::move(*frame)));
        part.seconds.push_back(source_->seconds());
        ++next_;
    }
    part.traits = source_->traits();  // some are only known after a frame
    if (part.frames.empty()) source_.reset();
    return part;
}

ClipPart ClipCursors::read(const std::filesystem::path& video, int first, Background background) {
    if (!cursors_[latest_].can_continue(video, first, background)) latest_ = 1 - latest_;
    return cursors_[latest_].read(video, first, background);
}

ClipFacts ClipCursors::describe(const std::filesystem::path& video) {
    latest_ = 1 - latest_;
    return cursors_[latest_].describe(video);
}

}  // namespace kinescope
