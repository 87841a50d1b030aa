#include "core/tokenizers/utf8.h"

#include <array>

#include "core/api/error.h"

namespace kinescope {
namespace {

/// Length of the sequence, its payload bits in the first byte, and the least value that needs this length.
struct Form {
    unsigned char mask;
    unsigned char mark;
    std::size_t length;
    char32_t least;
};

constexpr std::array<Form, 4> kForms{
    {{0x80, 0x00, 1, 0}, {0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}}};

constexpr char32_t kInvalid = 0xFFFFFFFF;

/// The character at the front of `text`, and how many bytes it has.
char32_t decode_one(std::string_view text, std::size_t& length) {
    const auto lead = static_cast<unsigned char>(text.front());
    for (const Form& form : kForms) {
        if ((lead & form.mask) != form.mark) continue;
        if (text.size() < form.length) return kInvalid;
        char32_t value = lead & static_cast<unsigned char>(~form.mask);
        for (std::size_t i = 1; i < form.length; ++i) {
            const auto byte = static_cast<unsigned char>(text[i]);
            if ((byte & 0xC0) != 0x80) return kInvalid;
            value = value << 6 | (byte & 0x3F);
        }
        const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
        length = form.length;
        return value < form.least || value > 0x10FFFF || is_surrogate ? kInvalid : value;
    }
    return kInvalid;
}

}  // namespace

std::u32string decode_utf8(std::string_view text) {
    std::u32string decoded;
    decoded.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 1;
        const char32_t value = decode_one(text.substr(at), length);
        if (value == kInvalid) {
            throw Error(ErrorCode::bad_request,
                        "The prompt is not valid UTF-8: byte " + std::to_string(at + 1) + " of " +
                            std::to_string(text.size()) + " begins no character",
                        "Save the text as UTF-8 or type it anew.", {{"byte", std::to_string(at + 1)}});
        }
        decoded.push_back(value);
        at += length;
    }
    return decoded;
}

std::string encode_utf8(std::u32string_view text) {
    std::string encoded;
    encoded.reserve(text.size());
    for (const char32_t c : text) {
        if (c < 0x80) {
            encoded += static_cast<char>(c);
            continue;
        }
        const int following = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        const char32_t mark = following == 1 ? 0xC0 : following == 2 ? 0xE0 : 0xF0;
        encoded += static_cast<char>(mark | c >> (6 * following));
        for (int i = following - 1; i >= 0; --i) encoded += static_cast<char>(0x80 | (c >> (6 * i) & 0x3F));
    }
    return encoded;
}

bool is_unicode_space(char32_t c) {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace kinescope
