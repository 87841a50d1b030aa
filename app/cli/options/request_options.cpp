#include "app/cli/options/request_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <sstream>

#include "app/cli/options/option_parts.h"

namespace kinescope::cli {
namespace {

template <class Number>
std::optional<Number> parse_whole_text(const std::string& text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Parses "N[,N...]". Other text stays text, which the reader of requests refuses.
template <class Number>
Json list_of(const std::string& text) {
    Json list = Json::array();
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        const auto number = parse_whole_text<Number>(word);
        if (!number) return text;
        list.push_back(*number);
    }
    return list;
}

Json value_of(FlagKind kind, const std::string& text) {
    if (kind == FlagKind::seed && text == "random") return nullptr;
    if (kind == FlagKind::whole || kind == FlagKind::seed) {
        if (const auto value = parse_whole_text<std::uint64_t>(text)) return *value;
        if (const auto value = parse_whole_text<std::int64_t>(text)) return *value;
    }
    if (kind == FlagKind::scales) return list_of<double>(text);
    if (kind == FlagKind::number) {
        if (const auto value = parse_whole_text<double>(text)) return *value;
    }
    return kind == FlagKind::numbers ? list_of<int>(text) : Json(text);
}

/// Parses "PATH[:SCALE]". If the text after the last colon is not a number, it belongs to the path.
Json lora_of(const std::string& text) {
    const auto colon = text.rfind(':');
    if (colon != text.npos && colon > 0)
        if (const auto scale = parse_whole_text<double>(text.substr(colon + 1)))
            return {{"path", text.substr(0, colon)}, {"scale", *scale}};
    return {{"path", text}, {"scale", 1.0}};
}

/// Parses "PATH[@FRAME[:STRENGTH]]". If the text after the last @ is not a frame number, it belongs to the path.
Json condition_of(const std::string& text) {
    const auto at = text.rfind('@');
    if (at == text.npos || at == 0) return {{"image", text}};
    const auto place = text.substr(at + 1);
    const auto colon = place.find(':');
    const auto frame = parse_whole_text<int>(place.substr(0, colon));
    if (!frame) return {{"image", text}};
    Json condition{{"image", text.substr(0, at)}, {"frame_index", *frame}};
    if (colon != place.npos) condition["strength"] = value_of(FlagKind::number, place.substr(colon + 1));
    return condition;
}

/// Returns the JSON of one value of a flag that can be repeated.
Json list_entry(FlagKind kind, const std::string& text) {
    if (kind == FlagKind::lora) return lora_of(text);
    return kind == FlagKind::condition ? condition_of(text) : Json(text);
}

bool is_list(FlagKind kind) {
    return kind == FlagKind::lora || kind == FlagKind::condition || kind == FlagKind::text_list;
}

void add_list_flag(CLI::App& command, Json& flags, const RequestFlag& flag) {
    const auto add = [&flags, key = flag.key, kind = flag.kind](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) flags[key].push_back(list_entry(kind, text));
    };
    make_repeatable(
        command.add_option_function<std::vector<std::string>>(flag.names, add, flag.help)->type_name(flag.value));
}

void add_value_flag(CLI::App& command, Json& flags, const RequestFlag& flag) {
    const auto take = [&flags, key = flag.key, kind = flag.kind](const std::string& text) {
        flags[key] = value_of(kind, text);
    };
    command.add_option_function<std::string>(flag.names, take, flag.help)->type_name(flag.value)->take_last();
}

void add_flag(CLI::App& command, Json& flags, const RequestFlag& flag) {
    if (flag.kind == FlagKind::on)
        command.add_flag_callback(
            flag.names, [&flags, key = flag.key] { flags[key] = true; }, flag.help);
    else if (is_list(flag.kind))
        add_list_flag(command, flags, flag);
    else
        add_value_flag(command, flags, flag);
}

}  // namespace

void add_request_options(CLI::App& command, RequestArguments& arguments, FileFlags files) {
    command
        .add_option("--request", arguments.request_file,
                    "Read the request from a JSON file, from JSON on standard input (-), or from a video made by "
                    "Kinescope; flags override it")
        ->type_name("FILE");
    for (const RequestFlag& flag : request_flags(files)) add_flag(command, arguments.flags, flag);
}

}  // namespace kinescope::cli
