#include "core/pipeline/joined_sink.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>
#include <utility>

#include "core/api/error.h"
#include "core/base/damaged_file.h"
#include "core/base/stopwatch.h"
#include "core/models/pil_resize.h"
#include "core/pipeline/input_video.h"

namespace kinescope {

namespace {

constexpr double kLeastGain = 0.8;
constexpr double kMostGain = 1.25;
constexpr double kFlat = 1.0;  ///< deviations below this say nothing about contrast
/// A difference of levels that shows as a jump of brightness or color. The seams of 24 continuations by the built-in
/// model (three sizes, four pairs of prompts, two seeds) differ by up to 2.7 before the correction and 0.5 after it.
constexpr double kVisibleSeam = 8;

std::uint8_t rounded(double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

[[noreturn]] void refuse_missing(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
        throw Error(ErrorCode::file_unreadable, "the video to continue, " + file.string() + ", has no frames",
                    "The file is damaged.", arguments_of_damage(file));
    throw Error(ErrorCode::file_not_found, "the video to continue, " + file.string() + ", is missing",
                "Put it back and resume the job.", {{"path", file.string()}});
}

FramePtr in_size(const FramePtr& frame, Size size) {
    if (frame->width == size.width && frame->height == size.height) return frame;
    return std::make_shared<const Frame>(
        to_frame(pil_resize(to_tensor(*frame), size.height, size.width, PilFilter::lanczos)));
}

/// Throws an error that proves damage (see damaged_file.h) if a video has fewer frames than it must have.
void require_all_frames(const EarlierVideo& video, int num_frames) {
    if (num_frames >= video.num_frames) return;
    throw Error(ErrorCode::file_unreadable,
                video.file.string() + " has only " + std::to_string(num_frames) + " of its " +
                    std::to_string(video.num_frames) + " frames",
                "The file is damaged.", arguments_of_damage(video.file));
}

}  // namespace

ColorLevels color_levels(const std::vector<FramePtr>& frames) {
    std::array<double, 3> sum{};
    std::array<double, 3> squares{};
    double count = 0;
    for (const FramePtr& frame : frames) {
        for (std::size_t i = 0; i < frame->pixels.size(); ++i) {
            const double value = frame->pixels[i];
            sum[i % 3] += value;
            squares[i % 3] += value * value;
        }
        count += static_cast<double>(frame->pixels.size() / 3);
    }
    ColorLevels levels;
    for (std::size_t c = 0; c < 3 && count > 0; ++c) {
        levels.mean[c] = sum[c] / count;
        levels.deviation[c] = std::sqrt(std::max(0.0, squares[c] / count - levels.mean[c] * levels.mean[c]));
    }
    return levels;
}

double level_difference(const ColorLevels& a, const ColorLevels& b) {
    double most = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        most = std::max(most, std::abs(a.mean[c] - b.mean[c]));
        most = std::max(most, std::abs(a.deviation[c] - b.deviation[c]));
    }
    return most;
}

std::vector<Finding> find_in_seam(const Seam& seam) {
    const double left = level_difference(seam.before, seam.corrected);
    if (left < kVisibleSeam) return {};
    const std::string levels = std::to_string(std::lround(left));
    return {{.detector = Detector::frames,
             .sample = {.phase = Phase::decode, .component = "vae", .site = "seam"},
             .found = {.code = "seam_colors",
                       .values = {{"difference", levels}},
                       .text = "the colors at the seam differ by " + levels + " of 255 after the correction"}}};
}

Frame with_levels(const Frame& frame, const ColorLevels& from, const ColorLevels& to) {
    std::array<std::array<std::uint8_t, 256>, 3> table{};
    for (std::size_t c = 0; c < 3; ++c) {
        const bool is_flat = from.deviation[c] < kFlat || to.deviation[c] < kFlat;
        const double gain = is_flat ? 1.0 : std::clamp(to.deviation[c] / from.deviation[c], kLeastGain, kMostGain);
        for (std::size_t value = 0; value < 256; ++value)
            table[c][value] = rounded((static_cast<double>(value) - from.mean[c]) * gain + to.mean[c]);
    }
    Frame result = frame;
    for (std::size_t i = 0; i < result.pixels.size(); ++i) result.pixels[i] = table[i % 3][result.pixels[i]];
    return result;
}

Frame blended(const Frame& first, const Frame& second, double weight) {
    Frame result = first;
    for (std::size_t i = 0; i < result.pixels.size(); ++i)
        result.pixels[i] = rounded((1.0 - weight) * first.pixels[i] + weight * second.pixels[i]);
    return result;
}

JoinedSink::JoinedSink(std::unique_ptr<FrameSink> sink, ContinuedClip clip, SeamSink report)
    : sink_(std::move(sink)), clip_(std::move(clip)), report_(std::move(report)) {}

void JoinedSink::throw_if_failed() const {
    if (failure_) std::rethrow_exception(failure_);
}

void JoinedSink::write(const Frame& frame) {
    throw_if_failed();
    if (is_joined_) return sink_->write(with_levels(frame, seam_.after, seam_.before));
    first_.push_back(std::make_shared<const Frame>(frame));
    if (static_cast<int>(first_.size()) == clip_.overlap) join();
}

std::filesystem::path JoinedSink::finish() {
    throw_if_failed();
    if (!is_joined_) join();  // the user stopped the run early
    return sink_->finish();
}

std::vector<FramePtr> JoinedSink::copy_clip() {
    if (clip_.stamp) require_stamp(clip_.videos.front().file, *clip_.stamp, clip_.cancellation);
    std::vector<FramePtr> last;
    for (const EarlierVideo& video : clip_.videos) last = copy_video(video);
    return last;
}

std::vector<FramePtr> JoinedSink::copy_video(const EarlierVideo& video) {
    std::deque<FramePtr> kept;
    int next = 0;
    for (;;) {
        clip_.cancellation.throw_if_requested();
        const ClipPart part = clip_.read(video.file, next);
        if (part.frames.empty() && next == 0) refuse_missing(video.file);
        if (part.frames.empty()) break;
        next += static_cast<int>(part.frames.size());
        for (const FramePtr& frame : part.frames) {
            kept.push_back(in_size(frame, clip_.size));
            if (static_cast<int>(kept.size()) <= clip_.overlap) continue;
            if (clip_.copy == ClipCopy::whole) sink_->write(*kept.front());
            kept.pop_front();
        }
    }
    require_all_frames(video, next);
    return {kept.begin(), kept.end()};
}

void require_stamp(const std::filesystem::path& video, const ContentStamp& expected, const CancellationToken& stop) {
    std::error_code ignored;
    if (!std::filesystem::exists(video, ignored)) refuse_missing(video);
    if (has_stamp(video, expected, stop)) return;
    throw Error(ErrorCode::file_changed,
                "the video to continue, " + video.string() + ", has changed since the new frames were begun",
                "Put the earlier file back and resume the job, or start the job over.", {{"path", video.string()}});
}

void JoinedSink::join() {
    const Stopwatch watch;
    try {
        write_seam();
    } catch (...) {
        failure_ = std::current_exception();
        throw;
    }
    is_joined_ = true;
    if (clip_.on_joined) clip_.on_joined(watch.seconds());
}

/// New frame j shows the same moment as frame j - shift of `last`, the end of the clip; `shift` is above 0 for a clip
/// that is shorter than the overlap.
void JoinedSink::write_seam() {
    const std::vector<FramePtr> last = copy_clip();
    const std::size_t shift = static_cast<std::size_t>(clip_.overlap) - last.size();
    const std::size_t count = first_.size() > shift ? first_.size() - shift : 0;
    const std::vector<FramePtr> fresh(first_.end() - static_cast<std::ptrdiff_t>(count), first_.end());
    const std::vector<FramePtr> old(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(count));
    seam_ = {.overlap = static_cast<int>(count), .before = color_levels(old), .after = color_levels(fresh)};
    std::vector<FramePtr> corrected;
    for (const FramePtr& frame : fresh)
        corrected.push_back(std::make_shared<const Frame>(with_levels(*frame, seam_.after, seam_.before)));
    seam_.corrected = color_levels(corrected);
    for (std::size_t i = 0; i < last.size(); ++i) {
        const double weight = static_cast<double>(i + 1) / static_cast<double>(count + 1);
        sink_->write(i < count ? blended(*last[i], *corrected[i], weight) : *last[i]);
    }
    if (report_ && count > 0) report_(seam_);
    first_.clear();
}

}  // namespace kinescope
