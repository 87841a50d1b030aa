#include "core/media/export_video.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "core/api/error.h"
#include "core/api/killed_reader.h"
#include "core/api/video_request_json.h"
#include "core/base/log_line.h"
#include "core/base/regular_file.h"
#include "core/base/temporary_folder.h"
#include "core/media/frame_sink.h"
#include "core/media/frame_times.h"
#include "core/media/output_path.h"
#include "core/media/pending_file.h"
#include "core/media/video_metadata.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

/// Limits for an estimate: the number of frames to encode, and their total size in bytes.
constexpr int kTriedFrames = 32;
constexpr std::size_t kTriedBytes = std::size_t{96} << 20;

Error cancelled(const fs::path& file) {
    return Error(ErrorCode::cancelled, "the export of " + file.string() + " was cancelled");
}

void check_different(const ExportRequest& request) {
    if (!replaces(request.video, request.output.file)) return;
    throw Error(ErrorCode::bad_request, request.video.string() + " cannot be exported to itself",
                "Choose another name for the copy.", {{"path", request.video.string()}});
}

/// Returns true if copying the file would give the same result.
bool is_plain_copy(const ExportRequest& request) {
    std::error_code ignored;
    const OutputRequest& output = request.output;
    return output.codec.empty() && !output.crf && output.settings == SettingsInFile::kept &&
           !output.file.extension().empty() && output.file.extension() == request.video.extension() &&
           fs::is_regular_file(request.video, ignored);
}

void copy(const RegularFile& source, PendingFile& target, const ExportRequest& request, const ExportStep& step) {
    const auto total = static_cast<std::int64_t>(source.size());
    constexpr std::size_t kPart = std::size_t{1} << 20;
    std::int64_t done = 0;
    for (;;) {
        if (!step(done, total)) throw cancelled(request.video);
        const std::string part = source.read(static_cast<std::uintmax_t>(done), kPart);
        if (part.empty()) break;
        target.write(std::span(reinterpret_cast<const std::uint8_t*>(part.data()), part.size()));
        target.throw_if_failed();
        done += static_cast<std::int64_t>(part.size());
    }
}

/// The content of the source's metadata.
struct Origin {
    std::optional<VideoRequest> request;
    std::string comment;  ///< empty if there are no settings
};

Origin origin_of(GuardedReader& reader, const fs::path& video) {
    try {
        Origin origin{.request = {}, .comment = reader.read_comment(video)};
        origin.request = request_in_comment(origin.comment);
        return origin;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::no_settings || error.code() == ErrorCode::bad_request) return {};
        if (error.code() == ErrorCode::file_unreadable && names_pictures(video)) return {};  // JPEG and others
        throw;
    }
}

/// Returns the rate with which the copy is as long as the video. The settings do not know it, because finish steps
/// change it.
FrameRate rate_of_copy(const VideoInfo& video) {
    const FrameRate rate = even_rate(video);
    return rate.value() > 0 ? rate : kAssumedRate;
}

/// Returns the first part of a video. Throws Error(file_unreadable) if the video has no frames.
ClipPart first_part(GuardedReader& reader, const fs::path& video) {
    ClipPart part = reader.read_part(video, 0);
    if (part.frames.empty())
        throw Error(ErrorCode::file_unreadable, video.string() + " contains no frames",
                    "The file may be truncated. Generate it again.", {{"path", video.string()}});
    return part;
}

SinkOptions sink_options(GuardedReader& reader, const ExportRequest& request, const VideoInfo& video,
                         const ClipPart& part) {
    const Origin origin = origin_of(reader, request.video);
    const FrameRate rate = rate_of_copy(video);
    SinkOptions options{.output = request.output,
                        .width = part.frames.front()->width,
                        .height = part.frames.front()->height,
                        .fps = rate.num,
                        .fps_divisor = rate.den,
                        .metadata = {}};
    const bool keeps = request.output.settings == SettingsInFile::kept && !origin.comment.empty();
    if (keeps) options.metadata = video_metadata(origin.request ? origin.request->prompt : "", origin.comment);
    return options;
}

ExportResult encode(GuardedReader& reader, const ExportRequest& request, const ExportStep& step) {
    ClipPart part = first_part(reader, request.video);
    refuse_frames_in_picture(request.output.file, part.num_total);
    const VideoInfo video = reader.read_facts(request.video).video;
    const auto sink = open_frame_sink(sink_options(reader, request, video, part));
    warn_about(part.traits, request.video);
    const std::vector<ClipTrait> known = part.traits;
    if (video.num_frames > 1 && !(video.rate.value() > 0))
        log_warning(request.video.string() + " does not state a frame rate; " + std::to_string(kAssumedRate.num) +
                    " frames per second are used.");
    int done = 0;
    if (!step(done, part.num_total)) throw cancelled(request.video);
    for (; !part.frames.empty(); part = reader.read_part(request.video, done))
        for (const FramePtr& frame : part.frames) {
            sink->write(*frame);
            if (!step(++done, part.num_total)) throw cancelled(request.video);
        }
    for (const ClipTrait trait : part.traits)
        if (!has_trait(known, trait)) warn_about({trait}, request.video);
    const fs::path file = sink->finish();
    return {.file = file, .bytes = output_size(file)};
}

/// Decodes all frames. A copy of a damaged file would count as a success; all else that is unusual stays as it is.
void warn_about_damage(GuardedReader& reader, const fs::path& video, const ExportStep& step) {
    ClipPart part = first_part(reader, video);
    try {
        for (int done = 0; !part.frames.empty(); part = reader.read_part(video, done)) {
            done += static_cast<int>(part.frames.size());
            if (!step(done, part.num_total)) throw cancelled(video);
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::file_unreadable || is_of_killed_reader(error)) throw;
        log_warning(error.message());
    }
    for (const ClipTrait trait : {ClipTrait::cut, ClipTrait::damaged})
        if (has_trait(part.traits, trait)) warn_about({trait}, video);
}

ExportResult check_and_copy(GuardedReader& reader, const ExportRequest& request, const ExportStep& step) {
    const RegularFile source(request.video);
    PendingFile target(request.output.file, request.output.overwrite);
    warn_about_damage(reader, request.video, step);
    copy(source, target, request, step);
    const fs::path file = target.commit();
    return {.file = file, .bytes = output_size(file)};
}

std::int64_t encoded_bytes(SinkOptions options, std::span<const FramePtr> frames) {
    const TemporaryFolder folder("export");
    fs::path name = "sample";
    name += options.output.file.extension();
    options.output.file = folder.path() / name;
    const auto sink = open_frame_sink(options);
    for (const FramePtr& frame : frames) sink->write(*frame);
    return output_size(sink->finish());
}

std::size_t num_tried(const ClipPart& part) {
    const std::size_t fitting = std::max<std::size_t>(2, kTriedBytes / part.frames.front()->pixels.size());
    return std::min({part.frames.size(), fitting, std::size_t{kTriedFrames}});
}

}  // namespace

ExportResult export_video(GuardedReader& reader, const ExportRequest& request, const ExportStep& step) {
    check_different(request);
    refuse_encoding_of_pictures(request.output);
    try {
        return is_plain_copy(request) ? check_and_copy(reader, request, step) : encode(reader, request, step);
    } catch (const Cancelled&) {
        throw cancelled(request.video);
    }
}

/// Encodes the first frames, then half of them, and extrapolates from the difference of the two sizes, because every
/// file has a header and in most formats the first frame is larger than the following ones.
ExportEstimate estimate_export(GuardedReader& reader, const ExportRequest& request) {
    const ClipPart part = first_part(reader, request.video);
    const SinkOptions options = sink_options(reader, request, reader.read_facts(request.video).video, part);
    const auto all = static_cast<std::size_t>(std::max<int>(part.num_total, 1));
    if (is_plain_copy(request))
        return {.bytes = output_size(request.video), .num_frames = part.num_total, .num_tried = part.num_total};
    const std::size_t tried = num_tried(part);
    const std::span<const FramePtr> frames(part.frames.data(), tried);
    ExportEstimate estimate{
        .bytes = encoded_bytes(options, frames), .num_frames = part.num_total, .num_tried = static_cast<int>(tried)};
    if (tried >= all || tried < 2) return estimate;
    const std::size_t half = tried / 2;
    const auto growth = static_cast<double>(estimate.bytes - encoded_bytes(options, frames.first(half)));
    const double per_frame = std::max(0.0, growth / static_cast<double>(tried - half));
    estimate.bytes += std::llround(per_frame * static_cast<double>(all - tried));
    return estimate;
}

}  // namespace kinescope
