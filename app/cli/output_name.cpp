#include "app/cli/output_name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "core/api/utf8.h"
#include "core/base/draw_seed.h"

namespace kinescope::cli {
namespace {

constexpr int kMaxWords = 6;
constexpr std::size_t kMaxBytes = 48;

/// Characters above ASCII.
struct CharacterRange {
    char32_t first;
    char32_t last;
};

/// Punctuation, symbols, controls and unassigned planes. Characters above ASCII in no range count as letters.
constexpr CharacterRange kNotLetters[] = {
    {0x80, 0xBF},     {0xD7, 0xD7},     {0xF7, 0xF7},     {0x61C, 0x61C},     {0x2000, 0x2BFF},   {0x2E00, 0x2E7F},
    {0x3000, 0x3004}, {0x3008, 0x3030}, {0xD800, 0xF8FF}, {0xFE00, 0xFE6F},   {0xFEFF, 0xFF0F},   {0xFF1A, 0xFF20},
    {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FBFF}, {0xE0000, 0x10FFFF}};

bool is_letter(char32_t c) {
    if (c < 0x80) return std::isalnum(static_cast<int>(c)) != 0;
    return std::ranges::none_of(kNotLetters,
                                [c](const CharacterRange& range) { return range.first <= c && c <= range.last; });
}

/// Decodes one character.
char32_t code_point(std::string_view character) {
    const auto lead = static_cast<unsigned char>(character.front());
    if (character.size() == 1) return lead;
    char32_t c = lead & (0xFFU >> (character.size() + 1));
    for (const char byte : character.substr(1)) c = (c << 6) | (static_cast<unsigned char>(byte) & 0x3FU);
    return c;
}

/// Returns the first words, joined by hyphens, with ASCII letters in lower case.
std::string first_words(const std::string& prompt) {
    if (find_invalid_utf8(prompt)) return "video";
    std::string words;
    int count = 1;
    for (std::size_t at = 0, end = 0; at < prompt.size(); at = end) {
        end = next_character(prompt, at);
        if (words.size() + end - at > kMaxBytes) break;
        const char32_t c = code_point(std::string_view(prompt).substr(at, end - at));
        if (is_letter(c)) {
            words +=
                c < 0x80 ? std::string(1, static_cast<char>(std::tolower(prompt[at]))) : prompt.substr(at, end - at);
        } else if (!words.empty() && words.back() != '-') {
            if (++count > kMaxWords) break;
            words += '-';
        }
    }
    while (!words.empty() && words.back() == '-') words.pop_back();
    return words.empty() ? "video" : words;
}

}  // namespace

std::filesystem::path absolute_name(const std::filesystem::path& output) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(output, error);
    const std::filesystem::path name = (error ? output : absolute).lexically_normal();
    return name.has_filename() ? name : name.parent_path();
}

std::filesystem::path free_output_name(const VideoRequest& request, const std::filesystem::path& folder,
                                       const std::set<std::filesystem::path>& taken) {
    const auto is_taken = [&taken](const std::filesystem::path& file) {
        return taken.contains(absolute_name(file)) || std::filesystem::exists(file);
    };
    const std::string stem = first_words(request.prompt) + "-" + std::to_string(*request.seed);
    std::filesystem::path file = folder / (stem + ".mp4");
    for (int n = 2; is_taken(file); ++n) file = folder / (stem + "-" + std::to_string(n) + ".mp4");
    return file;
}

std::filesystem::path with_suffix(const std::filesystem::path& file, const std::string& suffix) {
    if (file.has_filename()) return file.parent_path() / (file.stem().string() + suffix + file.extension().string());
    const std::filesystem::path folder = file.parent_path();
    return folder.parent_path() / (folder.filename().string() + suffix) / "";
}

void RequestFinisher::reserve(const VideoRequest& request) {
    if (!request.output.file.empty()) taken_.insert(absolute_name(request.output.file));
}

VideoRequest RequestFinisher::finish(VideoRequest request) {
    if (!request.seed) request.seed = draw_seed();
    if (request.output.file.empty()) request.output.file = free_output_name(request, {}, taken_);
    reserve(request);
    return request;
}

}  // namespace kinescope::cli
