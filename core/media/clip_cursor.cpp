#include "core/media/clip_cursor.h"

namespace kinescope {
namespace {

/// Maximum size of a part. A single larger frame is a part by itself.
constexpr std::size_t kPartBytes = std::size_t{32} << 20;

}  // namespace

void ClipCursor::go_to(const std::filesystem::path& video, int first) {
    if (source_ == nullptr || video != video_ || first < next_ || first == 0) {
        source_.reset();
        source_ = open_frame_source(video);
        video_ = video;
        next_ = 0;
    }
    while (next_ < first && source_->skip()) ++next_;
}

ClipPart ClipCursor::read(const std::filesystem::path& video, int first) {
    go_to(video, first);
    ClipPart part{.fps = source_->fps(), .num_total = source_->count(), .frames = {}};
    for (std::size_t bytes = 0; bytes < kPartBytes;) {
        std::optional<Frame> frame = source_->next();
        if (!frame) break;
        bytes += frame->pixels.size();
        part.frames.push_back(std::make_shared<const Frame>(std::move(*frame)));
        ++next_;
    }
    if (part.frames.empty()) source_.reset();
    return part;
}

}  // namespace kinescope
