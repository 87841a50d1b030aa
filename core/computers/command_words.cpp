#include "core/computers/command_words.h"

#include <optional>
#include <utility>

#include "core/api/error.h"
#include "core/base/find_program.h"

namespace kinescope::computers {

namespace {

[[noreturn]] void refuse_command(std::string_view command, const char* cause, const std::string& why) {
    throw Error(ErrorCode::bad_request, "the command \"" + std::string(command.substr(0, 200)) + "\" " + why,
                "A command looks like: ssh workstation kinescope-cli serve --keep",
                {{"cause", cause}, {"command", std::string(command)}});
}

/// Collects words; `quote_` is the open quote or 0.
class WordReader {
public:
    void take(char c) {
        if (is_escaped_) {
            add(c);
            is_escaped_ = false;
        } else if (c == '\\' && quote_ != '\'') {
            is_escaped_ = true;
        } else if (quote_ != 0 && c == quote_) {
            quote_ = 0;
        } else if (quote_ == 0 && (c == '"' || c == '\'')) {
            quote_ = c;
            if (!word_) word_.emplace();  // "" is a word
        } else if (quote_ == 0 && c == ' ') {
            end_word();
        } else {
            add(c);
        }
    }
    void end_word() {
        if (word_) words_.push_back(*std::exchange(word_, std::nullopt));
    }
    bool is_open() const { return quote_ != 0 || is_escaped_; }
    std::vector<std::string> words() && { return std::move(words_); }

private:
    void add(char c) {
        if (!word_) word_.emplace();
        word_->push_back(c);
    }

    std::vector<std::string> words_;
    std::optional<std::string> word_;
    char quote_ = 0;
    bool is_escaped_ = false;
};

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
    constexpr std::size_t kMostBytes = 4096;
    if (command.size() > kMostBytes) refuse_command(command, "command_long", "is longer than 4096 bytes");
    WordReader reader;
    for (const char c : command) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            refuse_command(command, "command_control", "contains a control character");
        reader.take(c);
    }
    if (reader.is_open()) refuse_command(command, "command_open", "ends inside quotes or after a backslash");
    reader.end_word();
    std::vector<std::string> words = std::move(reader).words();
    if (words.empty() || words.front().empty()) refuse_command(command, "command_empty", "names no program");
    return words;
}

std::filesystem::path program_of(const std::string& word, const std::string& search_path) {
    const bool has_folder = word.find('/') != std::string::npos;
    if (has_folder && is_program(word)) return word;
    if (const auto found = has_folder ? std::nullopt : find_program(word, search_path)) return *found;
    throw Error(ErrorCode::file_not_found, "there is no program '" + word + "' on this computer",
                word == "ssh" ? "Install an SSH client." : "Check the command.", {{"path", word}});
}

}  // namespace kinescope::computers
