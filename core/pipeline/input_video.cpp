#include "core/pipeline/input_video.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "core/api/error.h"
#include "core/base/damaged_file.h"
#include "core/media/control_picture.h"
#include "core/media/flow_picture.h"
#include "core/models/pil_resize.h"

namespace kinescope {

namespace {

[[noreturn]] void refuse_length(const std::filesystem::path& video, int frames, int wanted) {
    throw Error(ErrorCode::bad_request,
                video.string() + " contains " + std::to_string(frames) + " of the " + std::to_string(wanted) +
                    " frames that the request needs",
                "Lower num_frames or choose a longer video.",
                {{"path", video.string()}, {"frames", std::to_string(frames)}});
}

/// Returns the part that begins with frame `first`, which must exist.
ClipPart part_at(const ReadClip& read, const std::filesystem::path& video, int first, int wanted) {
    ClipPart part = read(video, first);
    std::error_code ignored;
    if (part.frames.empty() && !std::filesystem::exists(video, ignored))
        throw Error(ErrorCode::file_not_found, "video not found: " + video.string(), "Check the path.",
                    {{"path", video.string()}});
    if (part.frames.empty() && first == 0) throw no_readable_frame(video);
    if (part.frames.empty()) refuse_length(video, first, wanted);
    return part;
}

/// Reads from a frame to the end of the video. Keeps the last `count` frames.
std::deque<FramePtr> last_frames_from(const ReadClip& read, const std::filesystem::path& video, int first, int count) {
    std::deque<FramePtr> last;
    for (int next = first;;) {
        const ClipPart part = read(video, next);
        if (part.frames.empty()) return last;
        next += static_cast<int>(part.frames.size());
        for (const FramePtr& frame : part.frames) {
            last.push_back(frame);
            if (static_cast<int>(last.size()) > count) last.pop_front();
        }
    }
}

/// Returns a number of frames that take about as long to decode for every size.
int frames_per_step(const Frame& frame) {
    constexpr std::int64_t kFewest = 30, kMost = 2000;
    constexpr std::int64_t kPixels = kMost << 20;
    const std::int64_t pixels = std::int64_t{frame.width} * frame.height;
    return static_cast<int>(std::clamp(kPixels / std::max<std::int64_t>(1, pixels), kFewest, kMost));
}

/// Goes to the end directly if the number of frames is known and right. The other frames are skipped in steps, so that
/// a reader in another process answers within its time limit.
std::deque<FramePtr> last_frames(const ReadClip& read, const std::filesystem::path& video, int count) {
    const ClipPart start = part_at(read, video, 0, 1);
    const int step = frames_per_step(*start.frames.front());
    const int first = start.count == FrameCount::exact ? std::max(0, start.num_total - count) : 0;
    for (int skipped = step; skipped < first; skipped += step) read(video, skipped);
    std::deque<FramePtr> last = last_frames_from(read, video, first, count);
    return static_cast<int>(last.size()) < count && first > 0 ? last_frames_from(read, video, 0, count) : last;
}

ReadFrames in_size(ReadFrames frames, Size size) {
    return [frames = std::move(frames), size](int count, const std::function<void(const Tensor&)>& take) {
        frames(count,
               [&](const Tensor& frame) { take(pil_resize(frame, size.height, size.width, PilFilter::lanczos)); });
    };
}

/// As in VACE's own preparation, the first picture shows the motion to the second frame, and so does the second
/// picture; each further one shows the motion from the frame before it.
ReadFrames flow_of(ReadFrames frames) {
    return [frames = std::move(frames)](int count, const std::function<void(const Tensor&)>& take) {
        Frame before;
        int num_read = 0;
        frames(count, [&](const Tensor& pixels) {
            Frame frame = to_frame(pixels);
            if (num_read > 0) {
                const Tensor picture = to_tensor(flow_picture(before, frame));
                if (num_read == 1) take(picture);
                take(picture);
            }
            before = std::move(frame);
            ++num_read;
        });
        if (num_read == 1) take(to_tensor(flow_picture(before, before)));
    };
}

}  // namespace

Error no_readable_frame(const std::filesystem::path& video) {
    return {ErrorCode::file_unreadable, video.string() + " is damaged or cut off: none of its frames can be read",
            "Use a complete video.", arguments_of_damage(video)};
}

Tensor to_tensor(const Frame& frame) {
    auto* pixels = const_cast<std::uint8_t*>(frame.pixels.data());  // cloned, not written
    return at::from_blob(pixels, {frame.height, frame.width, 3}, at::kByte).clone();
}

Frame to_frame(const Tensor& picture) {
    const auto contiguous = picture.contiguous();
    const auto* bytes = contiguous.const_data_ptr<std::uint8_t>();
    return {.width = static_cast<int>(picture.size(1)),
            .height = static_cast<int>(picture.size(0)),
            .pixels = {bytes, bytes + contiguous.numel()}};
}

ReadFrames frames_of(const ReadClip& read, const std::filesystem::path& video, SinglePicture single) {
    if (video.empty()) return {};
    const int total = part_at(read, video, 0, 1).num_total;
    const bool repeats = single == SinglePicture::repeated && total == 1;
    return [&read, video, repeats](int count, const std::function<void(const Tensor&)>& take) {
        for (int next = 0; next < count;) {
            const ClipPart part = part_at(read, video, repeats ? 0 : next, count);
            for (const FramePtr& frame : part.frames) {
                if (next == count) break;
                take(to_tensor(*frame));
                ++next;
            }
        }
    };
}

ReadFrames as_control(ReadFrames frames, ControlSource source, Size size) {
    if (source == ControlSource::ready) return frames;
    ReadFrames sized = in_size(std::move(frames), size);
    if (source == ControlSource::flow) return flow_of(std::move(sized));
    return [sized = std::move(sized), source](int count, const std::function<void(const Tensor&)>& take) {
        sized(count, [&](const Tensor& frame) { take(to_tensor(control_picture(to_frame(frame), source))); });
    };
}

ReadFrames one_frame(Tensor image) {
    return [image = std::move(image)](int, const std::function<void(const Tensor&)>& take) { take(image); };
}

ReadFrames last_frames_of(const ReadClip& read, const std::filesystem::path& video, int count) {
    if (video.empty()) return {};
    return [last = last_frames(read, video, count), count](int wanted, const std::function<void(const Tensor&)>& take) {
        const int missing = count - static_cast<int>(last.size());
        for (int i = 0; i < wanted; ++i) take(to_tensor(*last.at(static_cast<std::size_t>(std::max(0, i - missing)))));
    };
}

}  // namespace kinescope
