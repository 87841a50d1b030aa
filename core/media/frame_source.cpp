#include "core/media/frame_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/error.h"
#include "core/media/image_io.h"
#include "core/media/video_reader.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

class PictureSource final : public FrameSource {
public:
    explicit PictureSource(std::vector<fs::path> files) : files_(std::move(files)) {}
    int count() const override { return static_cast<int>(files_.size()); }
    FrameCount how_counted() const override { return FrameCount::exact; }
    double fps() const override { return 0; }
    std::vector<ClipTrait> traits() const override { return {}; }
    double seconds() const override { return std::nan(""); }
    std::optional<Frame> next() override {
        if (at_ == files_.size()) return std::nullopt;
        return read_image(files_[at_++]);
    }
    bool skip() override {
        if (at_ == files_.size()) return false;
        ++at_;
        return true;
    }

private:
    std::vector<fs::path> files_;
    std::size_t at_ = 0;
};

class VideoSource final : public FrameSource {
public:
    explicit VideoSource(VideoReader reader) : reader_(std::move(reader)) {}
    int count() const override { return reader_.info().num_frames; }
    FrameCount how_counted() const override { return reader_.info().count; }
    double fps() const override { return reader_.info().fps; }
    std::vector<ClipTrait> traits() const override {
        std::vector<ClipTrait> traits = traits_of(reader_.info());
        if (reader_.has_sound()) traits.push_back(ClipTrait::sound);
        return traits;
    }
    double seconds() const override { return reader_.seconds(); }
    std::optional<Frame> next() override { return reader_.read(); }
    bool skip() override { return reader_.read().has_value(); }

private:
    VideoReader reader_;
};

template <std::size_t Count>
bool ends_with_any(const fs::path& path, const std::array<const char*, Count>& endings) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

constexpr std::array kPictures = {".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff"};
constexpr std::array kVideos = {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".gif"};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Removes the number at the start of a text. Returns its digits without leading zeros.
std::string_view take_number(std::string_view& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
    std::string_view number(text.begin(), end);
    text.remove_prefix(number.size());
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

/// Orders names by the values of the numbers in them: frame2 comes before frame10.
bool comes_before(const fs::path& a, const fs::path& b) {
    const std::string first = a.filename().string(), second = b.filename().string();
    std::string_view left = first, right = second;
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view x = take_number(left), y = take_number(right);
            if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
        } else {
            if (left.front() != right.front()) return left.front() < right.front();
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
    }
    if (left.empty() != right.empty()) return left.empty();
    return first < second;  // they differ only in leading zeros
}

std::vector<fs::path> pictures_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".png" && entry.is_regular_file()) files.push_back(entry.path());
    if (files.empty())
        throw Error(ErrorCode::file_unreadable, "the folder " + folder.string() + " contains no PNG frames",
                    "Choose a video, or a folder that Kinescope wrote.", {{"path", folder.string()}});
    std::sort(files.begin(), files.end(), comes_before);
    return files;
}

}  // namespace

std::unique_ptr<FrameSource> open_frame_source(const fs::path& path, const VideoLimits& limits) {
    if (names_pictures(path)) return std::make_unique<PictureSource>(frame_files(path));
    return frame_source_of(VideoReader(path, limits));
}

std::vector<fs::path> frame_files(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored) ? pictures_in(path) : std::vector{path};
}

std::unique_ptr<FrameSource> frame_source_of(VideoReader reader) {
    return std::make_unique<VideoSource>(std::move(reader));
}

bool names_pictures(const fs::path& path) {
    std::error_code ignored;
    return ends_with_any(path, kPictures) || fs::is_directory(path, ignored);
}

bool names_video(const fs::path& path) {
    std::error_code ignored;
    return ends_with_any(path, kVideos) || fs::is_directory(path, ignored);
}

}  // namespace kinescope
