#include "core/media/frame_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/api/video_endings.h"
#include "core/api/video_request_json.h"
#include "core/base/frame_files.h"
#include "core/base/lower_case.h"
#include "core/media/frame_sink.h"
#include "core/media/frame_times.h"
#include "core/media/image_io.h"
#include "core/media/video_reader.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

class PictureSource final : public FrameSource {
public:
    PictureSource(std::vector<fs::path> files, double fps, Background background)
        : files_(std::move(files)), fps_(fps), background_(background) {}
    int count() const override { return static_cast<int>(files_.size()); }
    FrameCount how_counted() const override { return FrameCount::exact; }
    double fps() const override { return fps_; }
    std::vector<ClipTrait> traits() const override {
        return is_transparent_ ? std::vector{ClipTrait::transparent} : std::vector<ClipTrait>();
    }
    double seconds() const override { return std::nan(""); }
    std::optional<Frame> next() override {
        if (at_ == files_.size()) return std::nullopt;
        Picture picture = read_picture(files_[at_++], background_);
        is_transparent_ = is_transparent_ || picture.is_transparent;
        return std::move(picture.frame);
    }
    bool skip() override {
        if (at_ == files_.size()) return false;
        ++at_;
        return true;
    }
    int approach(int index) override {
        at_ = std::min(std::max(at_, static_cast<std::size_t>(index)), files_.size());
        return static_cast<int>(at_);
    }

private:
    std::vector<fs::path> files_;
    double fps_;
    Background background_;
    bool is_transparent_ = false;
    std::size_t at_ = 0;
};

class VideoSource final : public FrameSource {
public:
    explicit VideoSource(VideoReader reader) : reader_(std::move(reader)) {}
    int count() const override { return reader_.info().num_frames; }
    FrameCount how_counted() const override { return reader_.info().count; }
    double fps() const override { return even_rate(reader_.info()).value(); }
    std::vector<ClipTrait> traits() const override {
        std::vector<ClipTrait> traits = traits_of(reader_.info());
        if (reader_.has_sound()) traits.push_back(ClipTrait::sound);
        return traits;
    }
    double seconds() const override { return reader_.seconds(); }
    std::optional<Frame> next() override { return reader_.read(); }
    bool skip() override { return reader_.skip(); }
    int approach(int index) override { return reader_.approach(index); }

private:
    VideoReader reader_;
};

template <std::size_t Count>
bool ends_with_any(const fs::path& path, const std::array<std::string_view, Count>& endings) {
    const std::string ending = lower_case(path.extension().string());
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

constexpr std::array<std::string_view, 1> kPngs = {".png"};

/// Returns the rate of the finished video that a request describes. Settings are untrusted: 0 if it is out of range.
double rate_of(const VideoRequest& request) {
    const FinishSteps& steps = request.finish;
    std::int64_t fps = request.fps.value_or(0);
    if (!steps.interpolator.empty())
        fps = steps.interpolation_fps.value_or(0) > 0 ? *steps.interpolation_fps
                                                      : fps * steps.interpolation_factor.value_or(2);
    return frame_rate_of(static_cast<double>(fps)).value();
}

/// Returns the rate in the settings of a picture or of a folder of frames; 0 if another program wrote them.
double rate_in_settings(const fs::path& pictures) {
    std::error_code ignored;
    if (!fs::is_directory(pictures, ignored) && !ends_with_any(pictures, kPngs)) return 0;
    try {
        const auto request = request_in_comment(read_comment(pictures));
        return request ? rate_of(*request) : 0;
    } catch (const Error&) {
        return 0;
    }
}

}  // namespace

std::unique_ptr<FrameSource> open_frame_source(const fs::path& path, const VideoLimits& limits, Background background) {
    if (names_pictures(path))
        return std::make_unique<PictureSource>(frame_files(path), rate_in_settings(path), background);
    return frame_source_of(VideoReader(path, limits, background));
}

std::vector<fs::path> frame_files(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored) ? frames_in(path) : std::vector{path};
}

std::unique_ptr<FrameSource> frame_source_of(VideoReader reader) {
    return std::make_unique<VideoSource>(std::move(reader));
}

bool names_pictures(const fs::path& path) {
    std::error_code ignored;
    return ends_with_any(path, kReadPictureEndings) || fs::is_directory(path, ignored);
}

bool names_video(const fs::path& path) {
    std::error_code ignored;
    return ends_with_any(path, kReadVideoEndings) || fs::is_directory(path, ignored);
}

}  // namespace kinescope
