#include "app/cli/option_names.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "app/cli/options/request_flags.h"
#include "core/api/component_role.h"

namespace kinescope::cli {
namespace {

/// A slash counts, so that the words of paths are kept.
bool is_word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/';
}

/// Returns true if a word of the text is not part of a path or a longer name, as "num_frames" is in "/num_frames" and
/// in "num_frames.mp4".
bool is_alone(std::string_view text, std::size_t begin, std::size_t end) {
    if (begin > 0 && text[begin - 1] != '\n' && is_word_char(text[begin - 1])) return false;
    if (end == text.size()) return true;
    const bool has_ending = text[end] == '.' && end + 1 < text.size() && is_word_char(text[end + 1]);
    return !is_word_char(text[end]) && !has_ending;
}

/// What is known about a message.
struct MessageFields {
    bool is_of_request = false;            ///< it describes faults of a request
    std::vector<std::string> faults = {};  ///< the fields that have them
};

/// Returns whether a field follows in the note about a preset: "preset a: sets dtype bf16, storage int8".
bool is_in_list_of_settings(std::string_view before) {
    constexpr std::string_view kStart = ": sets ";
    const auto start = before.rfind(kStart);
    return start != before.npos && (before.substr(start) == kStart || before.ends_with(", "));
}

/// Returns whether a field that is also an English word is meant by it. The name of a model may be such a word, too.
bool means_field(std::string_view text, std::size_t begin, std::size_t end, const MessageFields& known) {
    const std::string_view before = text.substr(0, begin);
    const std::string_view after = text.substr(end);
    if (!known.is_of_request) return is_in_list_of_settings(before);
    const bool starts_line = before.empty() || before.ends_with('\n');
    const bool has_fault = std::ranges::find(known.faults, text.substr(begin, end - begin)) != known.faults.end();
    if (starts_line && (has_fault || after.starts_with(':'))) return true;
    if (before.ends_with("leave ") && after.starts_with(" out")) return true;
    if (before.ends_with("without ") && (after.empty() || after.starts_with(';') || after.starts_with('\n')))
        return true;
    return after.starts_with(" is required") || after.starts_with(" are the same file");
}

void replace_field(std::string& text, const std::string& field, const std::string& by, const MessageFields& known) {
    const bool is_unmistakable = field.find('_') != field.npos;
    for (std::size_t at = text.find(field); at != text.npos; at = text.find(field, at + 1)) {
        const std::size_t end = at + field.size();
        if (!is_alone(text, at, end) || !(is_unmistakable || means_field(text, at, end, known))) continue;
        text.replace(at, field.size(), by);
        at += by.size() - 1;
    }
}

/// Returns the name of an option as it was typed, or its first one: "--num-inference-steps" of
/// "--num-inference-steps,--steps".
std::string option_name(const RequestFlag& flag, const RequestArguments& arguments) {
    const auto alias = arguments.aliases.find(flag.key);
    return alias == arguments.aliases.end() ? flag.names.substr(0, flag.names.find(',')) : alias->second;
}

/// Names the options that stand for fields of the request. The components of a model have the names of fields, too, so
/// they are replaced only in faults of a request.
std::string with_option_names(std::string text, const RequestArguments& arguments, const MessageFields& known) {
    static const std::vector<RequestFlag> all = request_flags();
    for (const RequestFlag& flag : all) {
        const bool is_typed = arguments.request_file.empty() || arguments.flags.contains(flag.key);
        const bool is_component = role_of(flag.key) != ComponentRole::none && !flag.key.ends_with("_dtype");
        if (is_typed && (known.is_of_request || !is_component))
            replace_field(text, flag.key, option_name(flag, arguments), known);
    }
    return text;
}

/// Returns whether messages of such errors name fields of the request. Others name keys of files.
bool names_fields(ErrorCode code) {
    return code == ErrorCode::bad_request || code == ErrorCode::out_of_memory || code == ErrorCode::unsupported ||
           code == ErrorCode::device_unavailable;
}

}  // namespace

std::vector<Fault> with_option_names(std::vector<Fault> faults, const RequestArguments& arguments) {
    for (Fault& fault : faults)
        fault.message = with_option_names(std::move(fault.message), arguments, {true, {fault.field}});
    return faults;
}

Error with_option_names(const Error& error, const RequestArguments& arguments) {
    if (!names_fields(error.code())) return error;
    MessageFields known{.is_of_request = error.code() == ErrorCode::bad_request};
    for (const auto& [name, value] : error.arguments()) known.faults.push_back(name);
    return {error.code(), with_option_names(error.message(), arguments, known),
            with_option_names(error.hint(), arguments, known), error.arguments()};
}

std::string note_with_option_names(std::string note, const RequestArguments& arguments) {
    return with_option_names(std::move(note), arguments, MessageFields());
}

}  // namespace kinescope::cli
