#include "core/base/child_words.h"

#include <charconv>
#include <csignal>
#include <map>
#include <new>
#include <utility>

#include "core/api/killed_reader.h"
#include "core/base/child_process.h"

namespace kinescope {

namespace {

constexpr std::string_view kDone = "done";
constexpr std::string_view kRefused = "refused";
constexpr std::string_view kExhausted = "exhausted";

std::string refusal(const Error& error) {
    std::vector<std::string> words{std::string(kRefused), std::string(to_string(error.code())), error.message(),
                                   error.hint()};
    for (const auto& [name, value] : error.arguments()) {
        words.push_back(name);
        words.push_back(value);
    }
    return message_of(words);
}

/// The file may have compromised the child, so its answers are validated.
[[noreturn]] void throw_refusal(std::string_view message) {
    const ErrorCode code = error_code_from(take_word(message).value_or(""));
    std::string text = take_word(message).value_or("");
    std::string hint = take_word(message).value_or("");
    std::map<std::string, std::string> arguments;
    while (const auto name = take_word(message)) arguments[*name] = take_word(message).value_or("");
    throw Error(code, std::move(text), std::move(hint), std::move(arguments));
}

/// Returns true for a signal that a process gets for a fault of its own, such as an invalid memory access.
bool is_of_crash(int signal) {
    switch (signal) {
        case SIGSEGV:
        case SIGABRT:
        case SIGBUS:
        case SIGILL:
        case SIGFPE:
        case SIGTRAP:
        case SIGSYS:
            return true;
        default:
            return false;
    }
}

std::string failure_text(const std::filesystem::path& file, const std::string& reason) {
    return "Cannot read " + file.string() + ": the process that reads it " + reason;
}

Error unreadable(const std::filesystem::path& file, const std::string& reason) {
    return {ErrorCode::file_unreadable,
            failure_text(file, reason),
            "The file is probably damaged or malicious.",
            {{"path", file.string()}}};
}

}  // namespace

std::string message_of(const std::vector<std::string>& words) {
    std::string message;
    for (const std::string& word : words) message.append(word).push_back('\0');
    return message;
}

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

std::string answer_of(std::vector<std::string> words) {
    words.insert(words.begin(), std::string(kDone));
    return message_of(words);
}

std::string answer_or_refuse(const std::function<std::string()>& work) {
    try {
        return work();
    } catch (const Error& error) {
        return refusal(error);
    } catch (const std::bad_alloc&) {
        return message_of({std::string(kExhausted)});
    } catch (const std::exception& error) {
        return refusal(Error(ErrorCode::file_unreadable, error.what()));
    }
}

std::string ask_child(ChildServer& child, const std::vector<std::string>& words, const std::filesystem::path& file,
                      const IsCancelled& is_cancelled) {
    std::string answer;
    try {
        answer = child.ask(message_of(words), is_cancelled);
    } catch (const ChildFailed& failure) {
        throw error_of_reader(failure, file);
    }
    std::string_view rest = answer;
    const auto verdict = take_word(rest);
    if (verdict == kRefused) throw_refusal(rest);
    if (verdict == kExhausted) throw_unreadable(file, "needs more memory than allowed");
    if (verdict != kDone) throw_unreadable(file, "returned an invalid answer");
    answer.erase(0, answer.size() - rest.size());
    return answer;
}

void throw_unreadable(const std::filesystem::path& file, const std::string& reason) {
    throw unreadable(file, reason);
}

Error error_of_reader(const ChildFailed& failure, const std::filesystem::path& file) {
    if (failure.overrun() == Overrun::wall)
        return {ErrorCode::file_unreadable,
                failure_text(file, failure.what()),
                "The computer is very busy, or the drive of the file does not answer. Try again.",
                {{"path", file.string()}, {"cause", kReaderStalled}}};
    if (failure.signal() == 0 || is_of_crash(failure.signal())) return unreadable(file, failure.what());
    return {ErrorCode::file_unreadable,
            failure_text(file, failure.what()),
            "It was killed from outside, often because the computer ran out of memory. Try again.",
            {{"path", file.string()}, {"cause", kReaderKilled}, {"signal", signal_name(failure.signal())}}};
}

}  // namespace kinescope
