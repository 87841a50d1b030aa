#include "core/computers/command_words.h"

#include <optional>
#include <sstream>
#include <utility>

#include "core/api/error.h"

namespace kinescope::computers {

namespace {

[[noreturn]] void refuse_command(std::string_view command, const std::string& why) {
    throw Error(ErrorCode::bad_request, "the command \"" + std::string(command.substr(0, 200)) + "\" " + why,
                "A command looks like: ssh workstation kinescope-cli serve --keep",
                {{"command", std::string(command)}});
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

bool is_program(const std::filesystem::path& file) {
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    using std::filesystem::perms;
    constexpr perms kRun = perms::owner_exec | perms::group_exec | perms::others_exec;
    return std::filesystem::is_regular_file(status) && (status.permissions() & kRun) != perms::none;
}

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
    constexpr std::size_t kMostBytes = 4096;
    if (command.size() > kMostBytes) refuse_command(command, "is longer than 4096 bytes");
    WordReader reader;
    for (const char c : command) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') refuse_command(command, "contains a control character");
        reader.take(c);
    }
    if (reader.is_open()) refuse_command(command, "ends inside quotes or after a backslash");
    reader.end_word();
    std::vector<std::string> words = std::move(reader).words();
    if (words.empty() || words.front().empty()) refuse_command(command, "names no program");
    return words;
}

std::filesystem::path find_program(const std::string& program, const std::string& search_path) {
    if (program.find('/') != std::string::npos) {
        if (is_program(program)) return program;
        throw Error(ErrorCode::file_not_found, "there is no program '" + program + "' on this computer",
                    "Check the command.", {{"path", program}});
    }
    std::istringstream folders(search_path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::filesystem::path file = std::filesystem::path(folder) / program;
        if (file.is_absolute() && is_program(file)) return file;
    }
    throw Error(ErrorCode::file_not_found, "there is no program '" + program + "' on this computer",
                program == "ssh" ? "Install an SSH client." : "Check the command.", {{"path", program}});
}

}  // namespace kinescope::computers
