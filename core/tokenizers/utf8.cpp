#include "core/tokenizers/utf8.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>

#include "core/api/error.h"

namespace kinescope {

std::u32string decode_utf8(std::string_view text) {
    std::u32string decoded;
    decoded.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        UChar32 value = 0;
        U8_NEXT(text, at, text.size(), value);
        if (value < 0) {
            throw Error(ErrorCode::bad_request,
                        "The prompt is not valid UTF-8: invalid byte " + std::to_string(start + 1) + " of " +
                            std::to_string(text.size()),
                        "Save the text as UTF-8 or type it again.", {{"byte", std::to_string(start + 1)}});
        }
        decoded.push_back(static_cast<char32_t>(value));
    }
    return decoded;
}

std::string encode_utf8(std::u32string_view text) {
    std::string encoded;
    encoded.reserve(text.size());
    for (const char32_t c : text) {
        std::array<char, U8_MAX_LENGTH> bytes{};
        std::size_t length = 0;
        U8_APPEND_UNSAFE(bytes, length, c);
        encoded.append(bytes.data(), length);
    }
    return encoded;
}

bool is_unicode_space(char32_t c) {
    const bool is_separator = c >= 0x1C && c <= 0x1F;  // spaces for Python, but not for Unicode
    return is_separator || u_isUWhiteSpace(static_cast<UChar32>(c));
}

}  // namespace kinescope
