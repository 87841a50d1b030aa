#include "core/media/guarded_reader.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <new>
#include <optional>
#include <string_view>

#include "core/api/error.h"
#include "core/api/reader_child.h"
#include "core/api/video_request_json.h"
#include "core/base/logging.h"
#include "core/media/frame_sink.h"
#include "core/media/image_io.h"
#include "core/media/read_frames.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCommand = "--read-media";
constexpr double kTimeLimitSeconds = 60;

constexpr std::string_view kSettings = "settings";
constexpr std::string_view kReadComment = "comment";
constexpr std::string_view kPart = "part";
constexpr std::string_view kFrames = "frames";
constexpr std::string_view kPicture = "image";

constexpr std::string_view kDone = "done";
constexpr std::string_view kRefused = "refused";

// A message is a list of words, each terminated by a zero byte (which paths cannot contain), followed by the pixels of
// frames.

std::string message_of(const std::vector<std::string>& words) {
    std::string message;
    for (const std::string& word : words) message.append(word).push_back('\0');
    return message;
}

/// Removes the first word from a message and returns it. Returns nullopt if there is none.
std::optional<std::string> take_word(std::string_view& message) {
    const auto end = message.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    std::string word(message.substr(0, end));
    message.remove_prefix(end + 1);
    return word;
}

std::optional<int> take_number(std::string_view& message) {
    const auto word = take_word(message);
    int number = 0;
    if (!word) return std::nullopt;
    const auto [end, error] = std::from_chars(word->data(), word->data() + word->size(), number);
    return error == std::errc() && end == word->data() + word->size() ? std::optional(number) : std::nullopt;
}

VideoRequest settings_of(const fs::path& video) {
    if (auto request = request_in_comment(read_comment(video))) return std::move(*request);
    throw Error(ErrorCode::no_settings,
                "'" + video.string() + "' has no settings: Kinescope did not make it, or another program removed them");
}

// Code that runs in the child process.

std::string frames_message(std::vector<std::string> words, const std::vector<FramePtr>& frames) {
    words.push_back(std::to_string(frames.size()));
    for (const FramePtr& frame : frames) {
        words.push_back(std::to_string(frame->width));
        words.push_back(std::to_string(frame->height));
    }
    std::string message = message_of(words);
    for (const FramePtr& frame : frames)
        message.append(reinterpret_cast<const char*>(frame->pixels.data()), frame->pixels.size());
    return message;
}

/// Returns the message for a part of a video, with the frame rate in thousandths.
std::string part_message(const ClipPart& part) {
    return frames_message(
        {std::string(kDone), std::to_string(std::lround(part.fps * 1000)), std::to_string(part.num_total)},
        part.frames);
}

std::string answer_to(std::string_view message, ClipCursor& cursor) {
    const std::string task = take_word(message).value_or("");
    const fs::path file = take_word(message).value_or("");
    if (task == kSettings) return message_of({std::string(kDone), to_json(settings_of(file))});
    if (task == kReadComment) return message_of({std::string(kDone), read_comment(file)});
    if (task == kPart) return part_message(cursor.read(file, take_number(message).value_or(0)));
    if (task == kFrames) {
        const int max_frames = take_number(message).value_or(0);
        return frames_message(
            {std::string(kDone)},
            read_frames(file, {.max_frames = max_frames, .max_width_px = take_number(message).value_or(0)}));
    }
    if (task == kPicture) read_image(file);
    return message_of({std::string(kDone)});
}

std::string refusal(const Error& error) {
    std::vector<std::string> words{std::string(kRefused), std::string(to_string(error.code())), error.message(),
                                   error.hint()};
    for (const auto& [name, value] : error.arguments()) {
        words.push_back(name);
        words.push_back(value);
    }
    return message_of(words);
}

std::string answer_or_refuse(std::string_view message, ClipCursor& cursor) {
    try {
        return answer_to(message, cursor);
    } catch (const Error& error) {
        return refusal(error);
    } catch (const std::bad_alloc&) {
        return refusal(Error(ErrorCode::file_unreadable, "reading it needs more memory than allowed"));
    } catch (const std::exception& error) {
        return refusal(Error(ErrorCode::file_unreadable, error.what()));
    }
}

// Code that runs in the parent process. The file may have compromised the child, so the parent validates its answers.

[[noreturn]] void throw_refusal(std::string_view message) {
    const ErrorCode code = error_code_from(take_word(message).value_or(""));
    std::string text = take_word(message).value_or("");
    std::string hint = take_word(message).value_or("");
    std::map<std::string, std::string> arguments;
    while (const auto name = take_word(message)) arguments[*name] = take_word(message).value_or("");
    throw Error(code, std::move(text), std::move(hint), std::move(arguments));
}

[[noreturn]] void throw_unreadable(const fs::path& file, const std::string& reason) {
    throw Error(ErrorCode::file_unreadable, "Cannot read " + file.string() + ": the process that reads it " + reason,
                "The file is probably damaged or malicious.", {{"path", file.string()}});
}

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

GuardedReader::GuardedReader(const fs::path& program) {
    if (!program.empty())
        child_ = std::make_unique<ChildServer>(ChildRequest{
            .program = program, .arguments = {std::string(kCommand)}, .time_limit_seconds = kTimeLimitSeconds});
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

ClipPart GuardedReader::read_part(const fs::path& video, int first) {
    if (!child_) {
        const std::lock_guard lock(cursor_mutex_);
        return cursor_.read(video, first);
    }
    const std::string answer = ask({std::string(kPart), video.string(), std::to_string(first)}, video);
    std::string_view rest = answer;
    const auto milli_fps = take_number(rest);
    const auto num_total = take_number(rest);
    if (!milli_fps || !num_total || *milli_fps < 0 || *num_total < 0)
        throw_unreadable(video, "returned an invalid answer");
    return {.fps = *milli_fps / 1000.0, .num_total = *num_total, .frames = frames_from(rest, video)};
}

std::vector<FramePtr> GuardedReader::read_frames(const fs::path& video, const FrameSelection& selection) {
    if (!child_) return kinescope::read_frames(video, selection);
    return frames_from(ask({std::string(kFrames), video.string(), std::to_string(selection.max_frames),
                            std::to_string(selection.max_width_px)},
                           video),
                       video);
}

void GuardedReader::check_image(const fs::path& file) {
    if (!child_) {
        read_image(file);
        return;
    }
    try {
        ask({std::string(kPicture), file.string()}, file);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::file_unreadable) throw;
        throw Error(ErrorCode::image_unreadable, error.message(), error.hint(), error.arguments());
    }
}

/// Sends a message to the child and returns its answer without the first word. Throws the error that the child returns,
/// or Error(file_unreadable) if the child fails.
std::string GuardedReader::ask(const std::vector<std::string>& words, const fs::path& file) {
    std::string answer;
    try {
        answer = child_->ask(message_of(words));
    } catch (const ChildFailed& failure) {
        throw_unreadable(file, failure.what());
    }
    std::string_view rest = answer;
    const auto verdict = take_word(rest);
    if (verdict == kRefused) throw_refusal(rest);
    if (verdict != kDone) throw_unreadable(file, "returned an invalid answer");
    answer.erase(0, answer.size() - rest.size());
    return answer;
}

std::optional<int> run_as_reader_child(int argc, const char* const* argv) {
    if (argc != 2 || std::string_view(argv[1]) != kCommand) return std::nullopt;
    start_logging({.level = LogLevel::off});             // stdout is the channel for answers
    const auto cursor = std::make_shared<ClipCursor>();  // std::function requires copies
    return serve_parent([cursor](std::string_view message) { return answer_or_refuse(message, *cursor); }, {});
}

}  // namespace kinescope
