#include "core/media/read_frames.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "core/media/image_io.h"
#include "core/media/video_reader.h"

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

std::vector<FramePtr> read_pictures(const std::vector<fs::path>& files, const FrameSelection& selection) {
    std::vector<FramePtr> frames;
    for (const int index : selected_indices(static_cast<int>(files.size()), selection.max_frames))
        frames.push_back(fitted(read_image(files[static_cast<std::size_t>(index)]), selection.max_width_px));
    return frames;
}

std::vector<fs::path> pictures_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".png" && entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
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
    if (fs::is_directory(video)) return read_pictures(pictures_in(video), selection);
    if (video.extension() == ".png") return read_pictures({video}, selection);
    VideoReader reader(video);
    const std::vector<int> wanted = selected_indices(reader.info().num_frames, selection.max_frames);
    std::vector<FramePtr> frames;
    for (int index = 0; frames.size() < wanted.size(); ++index) {
        auto frame = reader.read();
        if (!frame) break;
        if (index == wanted[frames.size()]) frames.push_back(fitted(std::move(*frame), selection.max_width_px));
    }
    return frames;
}

}  // namespace kinescope
