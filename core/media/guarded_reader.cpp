#include "core/media/guarded_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/api/error.h"
#include "core/api/killed_reader.h"
#include "core/api/video_request_json.h"
#include "core/base/child_words.h"
#include "core/base/stopwatch.h"
#include "core/media/clip_messages.h"
#include "core/media/frame_sink.h"
#include "core/media/image_io.h"
#include "core/media/message_words.h"
#include "core/media/track_source.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

/// For the work on a long video, which may have to skip many frames before the first one of a part.
constexpr AnswerLimits kPatientLimits{.cpu_seconds = 600, .wall_seconds = 1800};
constexpr double kPatientIdleSeconds = 7 * 24 * 3600;
/// For some frames of a video, so that a file that is made to be slow does not keep thumbnails waiting for hours.
constexpr double kSelectionSeconds = 600;

constexpr std::string_view kSettings = "settings";
constexpr std::string_view kReadComment = "comment";
constexpr std::string_view kPart = "part";
constexpr std::string_view kFrames = "frames";
constexpr std::string_view kPicture = "image";
constexpr std::string_view kFacts = "facts";
constexpr std::string_view kOpen = "open";
constexpr std::string_view kPackets = "packets";
constexpr std::string_view kPcm = "pcm";
constexpr std::string_view kSoundExtent = "sound-extent";

VideoRequest settings_of(const fs::path& video) {
    if (auto request = request_in_comment(read_comment(video))) return std::move(*request);
    throw Error(ErrorCode::no_settings,
                "'" + video.string() + "' has no settings: Kinescope did not make it, or another program removed them");
}

Error takes_too_long(const fs::path& video) {
    return {ErrorCode::file_unreadable,
            "reading frames of " + video.string() + " takes more than " +
                std::to_string(static_cast<int>(kSelectionSeconds)) + " s",
            "Use a shorter or smaller video.",
            {{"path", video.string()}}};
}

Error stopped_reading(const fs::path& video) {
    return {ErrorCode::cancelled, "reading " + video.string() + " was stopped"};
}

/// Returns what ends the wait for one answer: that it is cancelled, and that `answer_time` has passed since then and
/// since the request.
IsCancelled end_of_wait(const IsCancelled& is_cancelled, std::chrono::milliseconds answer_time) {
    if (!is_cancelled || answer_time.count() == 0) return is_cancelled;
    const double seconds = std::chrono::duration<double>(answer_time).count();
    return [is_cancelled, seconds, waited = std::optional<Stopwatch>()]() mutable {
        if (!is_cancelled()) return false;
        if (!waited) waited.emplace();
        return waited->seconds() > seconds;
    };
}

/// Empty if both are.
IsCancelled either(const IsCancelled& first, const IsCancelled& second) {
    if (!first || !second) return first ? first : second;
    return [first, second] { return first() || second(); };
}

// Code that runs in the child process.

std::string frames_message(std::vector<std::string> words, const std::vector<FramePtr>& frames) {
    words.push_back(std::to_string(frames.size()));
    for (const FramePtr& frame : frames) {
        words.push_back(std::to_string(frame->width));
        words.push_back(std::to_string(frame->height));
    }
    std::string message = answer_of(std::move(words));
    for (const FramePtr& frame : frames)
        message.append(reinterpret_cast<const char*>(frame->pixels.data()), frame->pixels.size());
    return message;
}

/// The frame rate travels in thousandths, times in microseconds; an empty word for an unknown one.
std::string part_message(const ClipPart& part) {
    std::vector<std::string> words{std::to_string(std::lround(part.fps * 1000)), std::to_string(part.num_total),
                                   part.count == FrameCount::exact ? "0" : "1", std::to_string(part.traits.size())};
    for (const ClipTrait trait : part.traits) words.push_back(std::to_string(static_cast<int>(trait)));
    words.push_back(std::to_string(part.seconds.size()));
    for (const double seconds : part.seconds)
        words.push_back(std::isfinite(seconds) ? std::to_string(std::llround(seconds * 1e6)) : "");
    return frames_message(std::move(words), part.frames);
}

/// What the child keeps open between requests.
struct OpenFiles {
    ClipCursors clips;
    SelectionCursors selections;
    TrackCursors sounds;
};

std::string answer_to(std::string_view message, OpenFiles& open) {
    const std::string task = take_word(message).value_or("");
    const fs::path file = take_word(message).value_or("");
    if (task == kSettings) return answer_of({to_json(settings_of(file))});
    if (task == kReadComment) return answer_of({read_comment(file)});
    if (task == kPart) {
        const int first = take_number(message).value_or(0);
        const bool is_black = take_number(message).value_or(0) == static_cast<int>(Background::black);
        return part_message(open.clips.read(file, first, is_black ? Background::black : Background::white));
    }
    if (task == kFrames) {
        FrameSelection selection;
        selection.max_frames = take_number(message).value_or(0);
        selection.max_width_px = take_number(message).value_or(0);
        const FramePortion portion = open.selections.read(file, selection, take_number(message).value_or(0));
        return frames_message({portion.has_ended ? "1" : "0"}, portion.frames);
    }
    if (task == kFacts) return answer_of(words_of(read_clip_facts(file)));
    if (task == kOpen) return answer_of(words_of(open.clips.describe(file)));
    if (task == kPackets || task == kPcm) {
        const int stream = take_number(message).value_or(-1);
        const std::int64_t first = take_whole<std::int64_t>(message).value_or(0);
        TrackCursor& sound = open.sounds.of(stream);
        return answer_of({}) + (task == kPackets ? message_of(sound.read_packets(file, stream, first))
                                                 : message_of(sound.read_pcm(file, stream, first)));
    }
    if (task == kSoundExtent) return answer_of({TrackSource(file, -1).extent() == FileExtent::whole ? "0" : "1"});
    if (task == kPicture) read_image(file);
    return answer_of({});
}

// Code that runs in the parent process. The file may have compromised the child, so the parent validates its answers.

struct Size {
    int width = 0;
    int height = 0;
    std::size_t bytes() const {
        return std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
};

std::optional<std::vector<Size>> take_sizes(std::string_view& message) {
    const auto count = take_number(message);
    if (!count || *count < 0) return std::nullopt;
    std::vector<Size> sizes;
    for (int i = 0; i < *count; ++i) {
        const auto width = take_number(message);
        const auto height = take_number(message);
        if (!width || !height || *width < 1 || *height < 1) return std::nullopt;
        sizes.push_back({*width, *height});
    }
    return sizes;
}

std::vector<ClipTrait> traits_from(std::string_view& message, const fs::path& file) {
    const auto count = take_number(message);
    if (!count || *count < 0 || *count > kNumClipTraits) throw_unreadable(file, "returned an invalid answer");
    std::vector<ClipTrait> traits;
    for (int i = 0; i < *count; ++i) {
        const auto trait = take_number(message);
        if (!trait || *trait < 0 || *trait >= kNumClipTraits) throw_unreadable(file, "returned an invalid answer");
        traits.push_back(static_cast<ClipTrait>(*trait));
    }
    return traits;
}

std::vector<double> times_from(std::string_view& message, const fs::path& file) {
    const auto count = take_number(message);
    if (!count || *count < 0) throw_unreadable(file, "returned an invalid answer");
    std::vector<double> seconds;
    for (int i = 0; i < *count; ++i) {
        const auto word = take_word(message);
        if (!word) throw_unreadable(file, "returned an invalid answer");
        const auto micro = whole_number<std::int64_t>(*word);
        if (!micro && !word->empty()) throw_unreadable(file, "returned an invalid answer");
        seconds.push_back(micro ? static_cast<double>(*micro) / 1e6 : std::nan(""));
    }
    return seconds;
}

ClipFacts facts_from(const std::string& answer, const fs::path& file) {
    auto facts = take_facts(answer);
    if (!facts) throw_unreadable(file, "returned an invalid answer");
    return std::move(*facts);
}

std::vector<FramePtr> frames_from(std::string_view message, const fs::path& file) {
    const auto sizes = take_sizes(message);
    if (!sizes) throw_unreadable(file, "returned an invalid answer");
    std::vector<FramePtr> frames;
    for (const Size& size : *sizes) {
        if (message.size() < size.bytes()) throw_unreadable(file, "returned fewer pixels than announced");
        Frame frame{size.width, size.height, std::vector<std::uint8_t>(size.bytes())};
        std::memcpy(frame.pixels.data(), message.data(), size.bytes());
        message.remove_prefix(size.bytes());
        frames.push_back(std::make_shared<const Frame>(std::move(frame)));
    }
    return frames;
}

}  // namespace

GuardedReader::GuardedReader(const fs::path& program, ReaderPatience patience, IsCancelled is_cancelled,
                             std::chrono::milliseconds answer_time)
    : is_cancelled_(std::move(is_cancelled)), answer_time_(answer_time) {
    if (program.empty()) return;
    const bool is_patient = patience == ReaderPatience::long_pauses;
    child_ = std::make_unique<ChildServer>(
        ServerProgram{.program = program,
                      .arguments = {std::string(is_patient ? kPatientReaderCommand : kMediaReaderCommand)},
                      .limits = is_patient ? kPatientLimits : AnswerLimits()});
}

VideoRequest GuardedReader::read_settings(const fs::path& video) {
    if (!child_) return settings_of(video);
    const std::string answer = ask({std::string(kSettings), video.string()}, video);
    std::string_view rest = answer;
    return parse_request(take_word(rest).value_or(""));
}

std::string GuardedReader::read_comment(const fs::path& video) {
    if (!child_) return kinescope::read_comment(video);
    const std::string answer = ask({std::string(kReadComment), video.string()}, video);
    std::string_view rest = answer;
    return take_word(rest).value_or("");
}

ClipPart GuardedReader::read_part(const fs::path& video, int first, Background background) {
    if (!child_) {
        const std::lock_guard lock(cursor_mutex_);
        return cursors_.read(video, first, background);
    }
    const std::string answer =
        ask({std::string(kPart), video.string(), std::to_string(first), std::to_string(static_cast<int>(background))},
            video);
    std::string_view rest = answer;
    const auto milli_fps = take_number(rest);
    const auto num_total = take_number(rest);
    const auto count = take_number(rest);
    if (!milli_fps || !num_total || !count || *milli_fps < 0 || *num_total < 0 || *count < 0 || *count > 1)
        throw_unreadable(video, "returned an invalid answer");
    std::vector<ClipTrait> traits = traits_from(rest, video);
    std::vector<double> seconds = times_from(rest, video);
    ClipPart part{.fps = *milli_fps / 1000.0,
                  .num_total = *num_total,
                  .count = *count == 0 ? FrameCount::exact : FrameCount::estimated,
                  .frames = frames_from(rest, video),
                  .seconds = std::move(seconds),
                  .traits = std::move(traits)};
    if (part.seconds.size() != part.frames.size()) throw_unreadable(video, "returned an invalid answer");
    return part;
}

ClipFacts GuardedReader::read_facts(const fs::path& video) {
    if (!child_) return read_clip_facts(video);
    return facts_from(ask({std::string(kFacts), video.string()}, video), video);
}

ClipFacts GuardedReader::open(const fs::path& video) {
    if (!child_) {
        const std::lock_guard lock(cursor_mutex_);
        return cursors_.describe(video);
    }
    return facts_from(ask({std::string(kOpen), video.string()}, video), video);
}

TrackPart<TrackPacket> GuardedReader::read_packets(const fs::path& file, int stream, std::int64_t first) {
    if (!child_) {
        const std::lock_guard lock(cursor_mutex_);
        return sounds_.of(stream).read_packets(file, stream, first);
    }
    auto part =
        take_packets(ask({std::string(kPackets), file.string(), std::to_string(stream), std::to_string(first)}, file));
    if (!part) throw_unreadable(file, "returned an invalid answer");
    return std::move(*part);
}

TrackPart<float> GuardedReader::read_pcm(const fs::path& file, int stream, std::int64_t first) {
    if (!child_) {
        const std::lock_guard lock(cursor_mutex_);
        return sounds_.of(stream).read_pcm(file, stream, first);
    }
    auto part = take_pcm(ask({std::string(kPcm), file.string(), std::to_string(stream), std::to_string(first)}, file));
    if (!part) throw_unreadable(file, "returned an invalid answer");
    return std::move(*part);
}

FileExtent GuardedReader::check_sound(const fs::path& file) {
    if (read_pcm(file, /*stream=*/-1, 0).values.empty())
        throw Error(ErrorCode::file_unreadable, file.string() + " has no readable sound: it is empty or cut off",
                    "Use a complete file.", {{"path", file.string()}});
    if (!child_) return TrackSource(file, -1).extent();
    const std::string answer = ask({std::string(kSoundExtent), file.string()}, file);
    std::string_view rest = answer;
    const auto extent = take_number(rest);
    if (!extent || *extent < 0 || *extent > 1) throw_unreadable(file, "returned an invalid answer");
    return *extent == 0 ? FileExtent::whole : FileExtent::cut;
}

FramePortion GuardedReader::read_portion(const fs::path& video, const FrameSelection& selection, int first,
                                         const IsCancelled& is_cancelled) {
    if (!child_) {
        const std::lock_guard lock(cursor_mutex_);
        return selections_.read(video, selection, first);
    }
    const std::string answer =
        ask_for_frames({std::string(kFrames), video.string(), std::to_string(selection.max_frames),
                        std::to_string(selection.max_width_px), std::to_string(first)},
                       video, is_cancelled);
    std::string_view rest = answer;
    const auto has_ended = take_number(rest);
    if (!has_ended || *has_ended < 0 || *has_ended > 1) throw_unreadable(video, "returned an invalid answer");
    return {.frames = frames_from(rest, video), .has_ended = *has_ended == 1};
}

std::vector<FramePtr> GuardedReader::read_frames(const fs::path& video, const FrameSelection& selection,
                                                 const IsCancelled& is_cancelled) {
    const Stopwatch watch;
    const int most = selection.max_frames > 0 ? selection.max_frames : VideoLimits().max_frames;
    std::vector<FramePtr> frames;
    for (bool has_ended = false; !has_ended;) {
        if (is_cancelled && is_cancelled()) throw stopped_reading(video);
        if (selection.max_frames > 0 && watch.seconds() > kSelectionSeconds) throw takes_too_long(video);
        FramePortion portion = read_portion(video, selection, static_cast<int>(frames.size()), is_cancelled);
        std::ranges::move(portion.frames, std::back_inserter(frames));
        if (std::ssize(frames) > most) throw_unreadable(video, "returned an invalid answer");
        has_ended = portion.has_ended;
    }
    return frames;
}

void GuardedReader::check_image(const fs::path& file) {
    if (!child_) {
        read_image(file);
        return;
    }
    try {
        ask({std::string(kPicture), file.string()}, file);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::file_unreadable || is_of_killed_reader(error)) throw;
        throw Error(ErrorCode::image_unreadable, error.message(), error.hint(), error.arguments());
    }
}

std::string GuardedReader::ask(const std::vector<std::string>& words, const fs::path& file) {
    return ask_child(*child_, words, file, end_of_wait(is_cancelled_, answer_time_));
}

std::string GuardedReader::ask_for_frames(const std::vector<std::string>& words, const fs::path& video,
                                          const IsCancelled& is_cancelled) {
    try {
        return ask_child(*child_, words, video, either(is_cancelled, end_of_wait(is_cancelled_, answer_time_)));
    } catch (const Cancelled&) {
        if (is_cancelled && is_cancelled()) throw stopped_reading(video);
        throw;
    }
}

int serve_media_reader(ReaderPatience patience) {
    const auto open = std::make_shared<OpenFiles>();  // std::function requires copies
    ServiceLimits limits;
    if (patience == ReaderPatience::long_pauses) limits.idle_seconds = kPatientIdleSeconds;
    return serve_parent(
        [open](std::string_view message) { return answer_or_refuse([&] { return answer_to(message, *open); }); },
        limits);
}

}  // namespace kinescope
