#include "core/api/utf8.h"

#include <algorithm>
#include <cstdint>

namespace kinescope {
namespace {

bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// Returns the length in bytes of the sequence that starts with `lead`; 0 if no sequence can start with it.
std::size_t sequence_length(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    if (lead >= 0xF0 && lead <= 0xF4) return 4;
    return 0;
}

/// Returns false if the second byte makes the sequence overlong, a surrogate or a value beyond U+10FFFF.
bool second_byte_fits(unsigned char lead, unsigned char second) {
    switch (lead) {
        case 0xE0:
            return second >= 0xA0;
        case 0xED:
            return second <= 0x9F;
        case 0xF0:
            return second >= 0x90;
        case 0xF4:
            return second <= 0x8F;
        default:
            return true;
    }
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = sequence_length(lead);
        if (length == 0 || length > text.size() - i) return i;
        const std::string_view rest = text.substr(i + 1, length - 1);
        if (!std::all_of(rest.begin(), rest.end(), is_continuation)) return i;
        if (length > 1 && !second_byte_fits(lead, static_cast<unsigned char>(rest[0]))) return i;
        i += length;
    }
    return std::nullopt;
}

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

bool begins_character(char byte) {
    return !is_continuation(byte);
}

std::size_t next_character(std::string_view text, std::size_t at) {
    do {
        ++at;
    } while (at < text.size() && !begins_character(text[at]));
    return at;
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace kinescope
