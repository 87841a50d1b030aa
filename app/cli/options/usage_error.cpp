#include "app/cli/options/usage_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/suggest.h"

namespace kinescope::cli {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// CLI11 names every option by its first name, which may not be the one that was typed.
std::string with_typed_names(const CLI::App& app, const std::vector<std::string>& typed, std::string text) {
    for (const CLI::App* command : app.get_subcommands())
        for (const CLI::Option* option : command->get_options())
            for (const std::string& name : option->get_lnames())
                if (is_among(typed, "--" + name))
                    text = replaced(text, "--" + option->get_lnames().front(), "--" + name);
    return text;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

std::vector<std::string> flag_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands())
        for (const CLI::Option* option : command->get_options())
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

/// Returns how to give a prompt, if the command takes one and the unknown arguments are all words.
std::string prompt_suggestion(const CLI::App& app, const std::vector<std::string>& unknown) {
    const auto commands = app.get_subcommands();
    const bool are_words = std::ranges::none_of(unknown, [](const std::string& word) { return word.starts_with('-'); });
    if (!are_words || commands.empty() || !commands.front()->get_option_no_throw("--prompt")) return {};
    if (commands.front()->count("--prompt") > 0) return {};
    return "A prompt follows --prompt, in quotation marks. ";
}

/// Returns "Did you mean --width? " for an unknown flag or command, or an empty string if nothing is similar.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& unknown) {
    if (unknown.empty()) return {};
    const auto known = app.get_subcommands().empty() ? command_names(app) : flag_names(app);
    for (const std::string& word : unknown) {
        const std::string like = most_like(word.substr(0, word.find('=')), known);
        if (!like.empty()) return "Did you mean " + like + "? ";
    }
    return prompt_suggestion(app, unknown);
}

/// Lists unknown arguments in the order in which they were typed.
std::string list_of_unknown(const std::vector<std::string>& unknown) {
    std::string text = "Unknown arguments:";
    for (const std::string& word : unknown) text += " " + word;
    return text;
}

}  // namespace

bool is_among(const std::vector<std::string>& words, const std::string& option) {
    return std::ranges::any_of(
        words, [&option](const std::string& word) { return word == option || word.starts_with(option + "="); });
}

Error describe_usage_error(const CLI::App& app, const std::vector<std::string>& typed, const CLI::ParseError& problem) {
    const std::vector<std::string> unknown = app.remaining(/*recurse=*/true);
    return {ErrorCode::bad_usage,
            unknown.empty() ? with_typed_names(app, typed, problem.what()) : list_of_unknown(unknown),
            suggestion(app, unknown) + "Run kinescope-cli COMMAND --help for a list of arguments."};
}

}  // namespace kinescope::cli
