#include "core/media/read_frames.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "core/api/error.h"
#include "core/media/frame_source.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

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
    const auto source = open_frame_source(video);
    const std::vector<int> wanted = selected_indices(source->count(), selection.max_frames);
    std::vector<FramePtr> frames;
    for (int index = 0; frames.size() < wanted.size(); ++index) {
        if (index != wanted[frames.size()]) {
            if (!source->skip()) break;
            continue;
        }
        auto frame = source->next();
        if (!frame) break;
        frames.push_back(fitted(std::move(*frame), selection.max_width_px));
    }
    if (selection.max_frames == 0 && has_trait(source->traits(), ClipTrait::damaged)) refuse_damaged(video);
    return frames;
}

}  // namespace kinescope
