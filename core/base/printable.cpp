#include "core/base/printable.h"

#include <array>
#include <cstdio>

#include "core/api/utf8.h"

namespace kinescope {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::size_t sequence_length(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// Decodes one sequence of valid UTF-8.
char32_t code_point(std::string_view sequence) {
    constexpr std::array<unsigned char, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t point = static_cast<unsigned char>(sequence[0]) & kLeadBits[sequence.size()];
    for (const char byte : sequence.substr(1)) point = point << 6 | (static_cast<unsigned char>(byte) & 0x3FU);
    return point;
}

bool controls_terminal(char32_t point) {
    if (point == '\n' || point == '\t') return false;
    const bool is_control = point < 0x20 || (point >= 0x7F && point <= 0x9F);
    const bool is_direction = (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
    return is_control || is_direction;
}

/// Returns the escape \uXXXX. Four digits are enough for all code points that are replaced.
std::string json_escape(char32_t point) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "\\u%04x", static_cast<unsigned>(point));
    return text.data();
}

/// Appends valid UTF-8. Code points that control a terminal are replaced by `replace(code point)`.
template <class Replace>
void append_replaced(std::string_view valid, Replace&& replace, std::string& result) {
    for (std::size_t i = 0; i < valid.size();) {
        const std::string_view sequence = valid.substr(i, sequence_length(static_cast<unsigned char>(valid[i])));
        const char32_t point = code_point(sequence);
        result += controls_terminal(point) ? replace(point) : std::string(sequence);
        i += sequence.size();
    }
}

template <class Replace>
std::string replaced(std::string_view text, Replace&& replace) {
    std::string result;
    result.reserve(text.size());
    for (;;) {
        const auto invalid = find_invalid_utf8(text);
        append_replaced(text.substr(0, invalid.value_or(text.size())), replace, result);
        if (!invalid) return result;
        result += kReplacement;
        text.remove_prefix(*invalid + 1);
    }
}

}  // namespace

std::string printable(std::string_view text) {
    return replaced(text, [](char32_t) { return std::string(kReplacement); });
}

std::string printable_json(std::string_view json) {
    return replaced(json, json_escape);
}

}  // namespace kinescope
