#include "core/tokenizers/html_unescape.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "core/tokenizers/tables/tables.h"

namespace kinescope {
namespace {

using Text = std::u32string_view;

constexpr std::size_t kLongestName = 32;     // limit of html.unescape, without the semicolon
constexpr std::size_t kLongestCareful = 24;  // limit of ftfy
constexpr char32_t kTooLarge = 0x110000;

// The characters that Windows-1252 assigns to U+0080 ... U+009F.
constexpr std::array<char32_t, 32> kWindows1252{0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                                0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

bool is_digit(char32_t c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int hex_value(char32_t c) {
    if (is_digit(c)) return static_cast<int>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<int>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<int>(c - 'A') + 10;
    return -1;
}

std::optional<Text> find_entity(std::span<const tables::HtmlEntity> entities, Text name) {
    if (std::any_of(name.begin(), name.end(), [](char32_t c) { return c > 0x7F; })) return std::nullopt;
    const std::string ascii(name.begin(), name.end());
    const auto found =
        std::partition_point(entities.begin(), entities.end(), [&](const auto& entity) { return entity.name < ascii; });
    if (found == entities.end() || found->name != ascii) return std::nullopt;
    return found->text;
}

/// A character reference at the start of a text: its length in characters, and the text that it represents.
struct Reference {
    std::size_t length = 0;  ///< 0 if the text does not start with a reference
    std::u32string text;
};

/// Returns the character with this code point according to HTML5; empty for controls and noncharacters.
std::u32string numbered_character(char32_t number) {
    if (number == 0 || (number >= 0xD800 && number <= 0xDFFF) || number >= kTooLarge) return U"\xFFFD";
    if (number == '\r') return U"\r";
    if (number >= 0x80 && number <= 0x9F) return {windows_1252(number)};
    const bool is_control = number < 0x09 || number == 0x0B || (number >= 0x0E && number < 0x20) || number == 0x7F;
    const bool is_no_character = (number >= 0xFDD0 && number <= 0xFDEF) || (number & 0xFFFE) == 0xFFFE;
    if (is_control || is_no_character) return {};
    return {number};
}

/// Parses a numeric reference. `text` follows an ampersand: "#38;", "#x26" ...
Reference numeric_reference(Text text) {
    std::size_t at = 1;
    const bool is_hex = at < text.size() && (text[at] == 'x' || text[at] == 'X');
    if (is_hex) ++at;
    const std::size_t first_digit = at;
    char32_t number = 0;
    for (; at < text.size() && (is_hex ? hex_value(text[at]) >= 0 : is_digit(text[at])); ++at) {
        number =
            std::min<char32_t>(kTooLarge, number * (is_hex ? 16 : 10) + static_cast<char32_t>(hex_value(text[at])));
    }
    if (at == first_digit) return {};
    if (at < text.size() && text[at] == ';') ++at;
    return {at, numbered_character(number)};
}

/// Parses the longest HTML5 entity name at the start of the text: "notit;" is the entity "not", followed by "it;".
Reference named_reference(Text text) {
    const auto end = std::min(text.find_first_of(U"\t\n\f <&#;"), std::min(text.size(), kLongestName));
    const bool has_semicolon = end > 0 && end < text.size() && text[end] == ';';
    for (std::size_t length = end + (has_semicolon ? 1 : 0); length > 1; --length) {
        if (const auto found = find_entity(tables::html5_entities(), text.substr(0, length))) {
            return {length, std::u32string(*found)};
        }
    }
    return {};
}

/// Parses a complete reference of letters and digits with a semicolon at its end: "amp;", "NTILDE;", "#38;".
Reference careful_reference(Text text) {
    const std::size_t start = text.starts_with(U'#') ? 1 : 0;
    std::size_t end = start;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    if (end == start || end - start > kLongestCareful || end == text.size() || text[end] != ';') return {};
    const Text name = text.substr(0, end + 1);
    if (start == 1) {
        const Reference numeric = numeric_reference(name);
        return numeric.length == name.size() && numeric.text != U";" ? numeric : Reference{};
    }
    for (const auto entities : {tables::html5_entities(), tables::capital_entities()}) {
        if (const auto found = find_entity(entities, name)) return {name.size(), std::u32string(*found)};
    }
    return {};
}

}  // namespace

char32_t windows_1252(char32_t c1_control) {
    return kWindows1252[c1_control - 0x80];
}

std::u32string html_unescape(const std::u32string& text) {
    std::u32string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Text rest = Text(text).substr(at + 1);
        Reference reference;
        if (text[at] == '&') reference = rest.starts_with(U'#') ? numeric_reference(rest) : named_reference(rest);
        if (reference.length == 0) {
            out += text[at++];
        } else {
            out += reference.text;
            at += 1 + reference.length;
        }
    }
    return out;
}

std::u32string unescape_unambiguous(std::u32string text) {
    std::u32string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        Reference reference;
        if (text[at] == '&') reference = careful_reference(Text(text).substr(at + 1));
        if (reference.length == 0) {
            out += text[at++];
        } else if (reference.text == U"&") {
            // An ampersand may start another reference ("&amp;lt;"), so it is parsed again.
            at += reference.length;
            text[at] = U'&';
        } else {
            out += reference.text;
            at += 1 + reference.length;
        }
    }
    return out;
}

}  // namespace kinescope
