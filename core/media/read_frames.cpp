#include "core/media/read_frames.h"

#include <algorithm>
#include <iterator>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "core/api/error.h"
#include "core/base/stopwatch.h"
#include "core/media/frame_source.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// A reader in another process answers within a minute.
constexpr double kPortionSeconds = 5;
constexpr std::size_t kPortionBytes = std::size_t{32} << 20;
/// One for each caller that may read at the same time.
constexpr std::size_t kMostSelections = 4;

FramePtr fitted(Frame frame, int max_width_px) {
    if (max_width_px < 1 || frame.width <= max_width_px) return std::make_shared<const Frame>(std::move(frame));
    Frame small{.width = max_width_px, .height = std::max(1, frame.height * max_width_px / frame.width), .pixels = {}};
    small.pixels.resize(std::size_t{3} * static_cast<std::size_t>(small.width) *
                        static_cast<std::size_t>(small.height));
    const cv::Mat from(frame.height, frame.width, CV_8UC3, frame.pixels.data());
    cv::Mat to(small.height, small.width, CV_8UC3, small.pixels.data());
    cv::resize(from, to, to.size(), 0, 0, cv::INTER_AREA);
    return std::make_shared<const Frame>(std::move(small));
}

[[noreturn]] void refuse_damaged(const fs::path& video) {
    throw Error(ErrorCode::file_unreadable, note_about(ClipTrait::damaged, video), "Copy or download the file again.",
                {{"path", video.string()}, {"fault", "frames"}});
}

}  // namespace

std::vector<int> selected_indices(int count, int max_frames) {
    const int taken = max_frames > 0 ? std::min(count, max_frames) : count;
    std::vector<int> indices;
    for (int i = 0; i < taken; ++i)
        indices.push_back(taken == 1 ? 0 : static_cast<int>(std::int64_t{i} * (count - 1) / (taken - 1)));
    return indices;
}

std::vector<FramePtr> read_frames(const fs::path& video, const FrameSelection& selection) {
    SelectionCursor cursor(video, selection);
    std::vector<FramePtr> frames;
    for (bool has_ended = false; !has_ended;) {
        FramePortion portion = cursor.read(kPortionSeconds);
        std::ranges::move(portion.frames, std::back_inserter(frames));
        has_ended = portion.has_ended;
    }
    return frames;
}

SelectionCursor::SelectionCursor(fs::path video, const FrameSelection& selection, int first)
    : video_(std::move(video)),
      selection_(selection),
      source_(open_frame_source(video_)),
      wanted_(selected_indices(source_->count(), selection.max_frames)),
      num_read_(std::min(static_cast<std::size_t>(std::max(0, first)), wanted_.size())) {}

SelectionCursor::~SelectionCursor() = default;

bool SelectionCursor::can_continue(const fs::path& video, const FrameSelection& selection, int first) const {
    return video == video_ && selection.max_frames == selection_.max_frames &&
           selection.max_width_px == selection_.max_width_px && static_cast<std::size_t>(first) == num_read_;
}

FramePortion SelectionCursor::read(double seconds) {
    const Stopwatch watch;
    FramePortion portion;
    std::size_t bytes = 0;
    while (!portion.has_ended && bytes < kPortionBytes) {
        const std::size_t before = portion.frames.size();
        portion.has_ended = !step(portion.frames);
        if (portion.frames.size() > before) bytes += portion.frames.back()->pixels.size();
        if (watch.seconds() >= seconds) break;
    }
    if (portion.has_ended && selection_.max_frames == 0 && has_trait(source_->traits(), ClipTrait::damaged))
        refuse_damaged(video_);
    return portion;
}

/// Reads or skips one frame of the video. Returns false if the selection has no more frames.
bool SelectionCursor::step(std::vector<FramePtr>& frames) {
    if (num_read_ == wanted_.size()) return false;
    const int wanted = wanted_[num_read_];
    if (source_->approach(wanted) != wanted) return source_->skip();
    auto frame = source_->next();
    if (!frame) return false;
    frames.push_back(fitted(std::move(*frame), selection_.max_width_px));
    ++num_read_;
    return true;
}

/// The first frame is always read from the file as it is now.
FramePortion SelectionCursors::read(const fs::path& video, const FrameSelection& selection, int first) {
    const auto known = std::ranges::find_if(cursors_, [&](const SelectionCursor& cursor) {
        return first > 0 && cursor.can_continue(video, selection, first);
    });
    if (known != cursors_.end())
        cursors_.splice(cursors_.begin(), cursors_, known);
    else
        cursors_.emplace_front(video, selection, first);
    if (cursors_.size() > kMostSelections) cursors_.pop_back();
    try {
        FramePortion portion = cursors_.front().read(kPortionSeconds);
        if (portion.has_ended) cursors_.pop_front();
        return portion;
    } catch (...) {
        cursors_.pop_front();
        throw;
    }
}

}  // namespace kinescope
